// A recording from a file: dropped on the page or chosen, checked, and replayed if it is sound.

import { html, useEffect, useRef, useState } from "./vendor/htm-preact.mjs";
import { offline } from "./viewer_sources.mjs";

/** Let a file be dropped anywhere on the page. */
function useDrop(take) {
  useEffect(() => {
    const over = (event) => event.preventDefault();
    const drop = (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file) take(file);
    };
    addEventListener("dragover", over);
    addEventListener("drop", drop);
    return () => { removeEventListener("dragover", over); removeEventListener("drop", drop); };
  }, []);
}

/** What came of checking a recording. */
export function Verdict({ verdict, why, say }) {
  const place = useRef(null);
  useEffect(() => place.current?.scrollIntoView({ block: "nearest" }), []);
  if (verdict === null) return html`<p class="verdict bad" role="alert" ref=${place}><strong>${say("unreadable")}</strong></p>`;
  if (verdict.fault !== null) {
    return html`<div class="verdict bad" role="alert" ref=${place} data-version=${verdict.version}><strong>✕ ${say("faulty", { version: verdict.version })}</strong>
      <p lang="en">${verdict.fault}</p><p>${say("faultyMore")}</p></div>`;
  }
  const key = verdict.sealed ? "sealedSound" : "sound";
  return html`<div class=${`verdict ${verdict.sealed ? "good" : "half"}`} role="status"><strong>${verdict.sealed ? "✓" : "○"} ${say(key)}</strong>
    <p>${say(`${key}More`, verdict)}</p>${why && html`<p role="alert">${say("notReplayed", { why })}</p>`}</div>`;
}

/** `textsOf(ruleset)` gives a game's texts; `opened({ source, verdict })` is told of a sound recording. */
export function RecordingPanel({ say, textsOf, opened, save }) {
  const [found, setFound] = useState(null);
  const [busy, setBusy] = useState(false);
  const take = async (file) => {
    setBusy(true);
    setFound(null);
    let result;
    try {
      result = await offline(new Uint8Array(await file.arrayBuffer()), file.name, textsOf);
    } catch {
      result = { verdict: null, source: null };
    }
    setFound(result.source ? null : result);
    setBusy(false);
    if (result.source) opened(result);
  };
  useDrop(take);
  const chosen = (event) => {
    const [file] = event.target.files;
    if (file) take(file);
    event.target.value = "";
  };
  return html`<section class="panel recording"><h2>${say("recording")}</h2>
    <div class="drop"><p>${say("dropHere")}</p><div class="bar">
      <label class="act file">${say("chooseFile")}<input class="sr" type="file" id="recording" accept=".ndjson,.jsonl,application/x-ndjson,text/plain" onChange=${chosen} /></label>
      ${save && html`<button class="act" id="save" onClick=${save}>${say("saveRecording")}</button>`}</div></div>
    ${busy && html`<p role="status">${say("checking")}</p>`}
    ${found && html`<${Verdict} ...${found} say=${say} />`}</section>`;
}
