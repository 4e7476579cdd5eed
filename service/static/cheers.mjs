// Memesio's sounds, made by the browser itself: nothing is loaded. They are off until turned on.

const KEY = "potluck.sounds";

// For each sound its tones: from and to in hertz, seconds, and the shape of the wave.
const SOUNDS = {
  nightjar: [[900, 1400, 0.12, "triangle"], [1400, 900, 0.12, "triangle"], [900, 1500, 0.16, "triangle"]],
  stag: [[180, 90, 0.7, "sawtooth"]],
  smack: [[700, 200, 0.07, "square"], [650, 180, 0.07, "square"]],
  purr: [[55, 60, 0.18, "sawtooth"], [58, 52, 0.18, "sawtooth"], [55, 60, 0.18, "sawtooth"]],
  gurgle: [[240, 420, 0.1, "sine"], [300, 520, 0.1, "sine"], [260, 600, 0.12, "sine"]],
  howl: [[300, 640, 0.4, "sine"], [640, 380, 0.4, "sine"]],
  slurp: [[200, 1200, 0.3, "sawtooth"]],
  sigh: [[420, 160, 0.6, "sine"]],
};

let context = null;

export const soundsOn = () => localStorage.getItem(KEY) === "on";
export const turnSounds = (on) => localStorage.setItem(KEY, on ? "on" : "off");

function tone(at, [from, to, length, type]) {
  const oscillator = new OscillatorNode(context, { type, frequency: from });
  const gain = new GainNode(context, { gain: 0 });
  oscillator.frequency.setValueAtTime(from, at);
  oscillator.frequency.linearRampToValueAtTime(to, at + length);
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.12, at + length / 5);
  gain.gain.linearRampToValueAtTime(0, at + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
  return at + length;
}

/** Play sounds one after the other, if they are on and the browser has been touched. */
export function playSounds(names) {
  if (!soundsOn() || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  let at = context.currentTime + 0.05;
  for (const name of names.slice(0, 8)) {
    for (const each of SOUNDS[name] || []) at = tone(at, each);
    at += 0.12;
  }
}
