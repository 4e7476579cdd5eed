// What the viewer is driven by: jumps, perspectives, undone lines to enter and leave, the link.

import { html, useState } from "./vendor/htm-preact.mjs";
import { KINDS, jump } from "./viewer_story.mjs";

export function Perspective({ source, perspective, choose, say, seatName }) {
  const own = source.file ? "asFile" : source.now.you.judge ? "asJudge" : source.now.you.seat === null ? "spectator" : "asYou";
  const name = (each) => (each === null ? say(source.sealed ? "all" : own) : each === "spectator" ? say("spectator") : seatName(Number(each.slice(5))));
  return html`<label>${say("seenBy")} <select id="perspective" value=${perspective ?? ""} onChange=${(event) => choose(event.target.value || null)}>
    ${source.perspectives.map((each) => html`<option key=${each} value=${each ?? ""}>${name(each)}</option>`)}</select></label>`;
}

export function Jumps({ story, version, leap, say, ruleset }) {
  return KINDS.filter((kind) => story.marks.some((mark) => mark.kind === kind)).map((kind) => {
    const special = `jump_${kind}_${ruleset}`;
    const what = say(special) === special ? say(`jump_${kind}`) : say(special);
    const button = (way, key, sign) => html`<button class="act" data-jump=${`${kind}${way}`} aria-label=${say(key, { what })}
      disabled=${jump(story, version, kind, way) === null} onClick=${() => leap(kind, way)}>${sign}</button>`;
    return html`<span class="jump" key=${kind} role="group" aria-label=${what}>${button(-1, "backTo", "‹")}<span class=${`jump-name ${kind}-name`}>${what}</span>${button(1, "onTo", "›")}</span>`;
  });
}

export function Branches({ story, version, go, say }) {
  const here = story.branchOf(version);
  const parted = story.branches.filter((branch) => branch.fork === version);
  return html`${here && html`<p class="branch in" role="status"><span>↳ ${say("inBranch", here)}</span>
      <button class="act" id="to-fork" onClick=${() => go(here.fork)}>${say("toFork")}</button>
      <button class="act main" id="leave" onClick=${() => go(story.leave(here))}>${say("leave")}</button></p>`}
    ${parted.map((branch) => html`<p class="branch" key=${branch.from}><span>↳ ${say("branchAt", branch)}</span>
      <button class="act" data-enter=${branch.from} onClick=${() => go(branch.from)}>${say("enter")}</button></p>`)}`;
}

const ICONS = {
  first: "M3 2h3v12H3zM14 2v12L6 8z", back: "M12 2v12L4 8z", on: "M4 2v12l8-6z", last: "M10 2h3v12h-3zM2 2v12l8-6z",
  play: "M4 2v12l9-6z", stop: "M3 2h4v12H3zM9 2h4v12H9z",
};

export const Icon = ({ name }) => html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;

export function CopyLink({ say }) {
  const [state, setState] = useState(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setState("copied");
    } catch {
      setState("shown"); // no clipboard without https: the link is shown to be copied by hand
    }
    setTimeout(() => setState((held) => (held === "copied" ? null : held)), 2500);
  };
  return html`<button class="act" id="copy-link" onClick=${copy}>${say("copyLink")}</button>
    ${state === "copied" && html`<span role="status">${say("linkCopied")}</span>`}
    ${state === "shown" && html`<input class="link-text" readonly aria-label=${say("linkHere")} value=${location.href} onFocus=${(event) => event.target.select()} />`}`;
}
