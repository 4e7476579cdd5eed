// The parts of the viewer: the timeline, the score curve, the claims, and what happened around now.

import { html, useEffect, useMemo, useRef } from "./vendor/htm-preact.mjs";
import { screams } from "./cards.mjs";
import { scoresAt } from "./fold.mjs";

const percent = (version, last) => `${last > 1 ? ((version - 1) / (last - 1)) * 100 : 0}%`;

/** The line that counts, undone lines below where they parted, and marks; a click goes there. */
export function Timeline({ story, version, go }) {
  const { last } = story;
  const drawing = useMemo(() => html`<g>
    <line class="rail" x1="0%" x2="100%" y1="14" y2="14" />
    ${story.branches.map(({ from, to, fork, lane }) => {
      const [y, y0] = [14 + 14 * lane, 14 * lane];
      return html`<g key=${from}>
        <line class="hole" x1=${percent(from, last)} x2=${percent(to, last)} y1=${y0} y2=${y0} />
        <line class="undone" x1=${percent(fork, last)} x2=${percent(from, last)} y1=${y0} y2=${y} />
        <line class="undone" x1=${percent(from, last)} x2=${percent(to, last)} y1=${y} y2=${y} />
        <circle class="undone-end" cx=${percent(to, last)} cy=${y} r="3" /></g>`;
    })}
    ${story.marks.map(({ version: at, kind }) => html`<${Mark} key=${at} at=${percent(at, last)} kind=${kind} lane=${story.branchOf(at)?.lane ?? 0} />`)}
  </g>`, [story]);
  const lanes = Math.max(0, ...story.branches.map((branch) => branch.lane));
  const press = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    go(Math.round(1 + ((event.clientX - box.left) / box.width) * (last - 1)));
  };
  return html`<svg class="timeline" height=${28 + 14 * lanes} aria-hidden="true" onClick=${press}>${drawing}
    <line class="head" x1=${percent(version, last)} x2=${percent(version, last)} y1="0" y2="100%" /></svg>`;
}

function Mark({ at, kind, lane }) {
  const y = 14 + 14 * lane;
  if (kind === "turn") return html`<line class="mark turn-mark" x1=${at} x2=${at} y1=${y - 5} y2=${y + 5} />`;
  if (kind === "claim") return html`<circle class="mark claim-mark" cx=${at} cy=${y} r="3" />`;
  return html`<svg x=${at} y=${y} overflow="visible"><path class="mark ruling-mark" d="M0-7L7 0 0 7-7 0z" /></svg>`;
}

/** Scores come in halves at most. */
const written = (score) => (Number.isInteger(score) ? String(score) : screams(2 * score));

/** How the scores went along the line to a version; a table says the same. */
export function Curve({ fold, story, version, say, seatName, go }) {
  const tip = story.branchOf(version)?.to ?? story.last;
  const points = useMemo(() => changesOf(fold, story.lineTo(tip)), [fold, story, tip]);
  const called = namesOf(seatName, points);
  const table = useMemo(() => html`<${ScoreTable} points=${points} say=${say} seatName=${seatName} go=${go} />`, [points, say, called]);
  if (points.length === 0) return null;
  const seats = points[0].scores.map((_, seat) => seat);
  const most = Math.max(5, ...points.flatMap((point) => point.scores));
  const x = (at) => (1000 * (at - 1)) / Math.max(1, story.last - 1);
  const y = (score) => 200 - (190 * score) / most;
  const path = (seat) => points.map(({ version: at, scores }, index) =>
    `${index ? `H${x(at)}V` : `M${x(at)} `}${y(scores[seat])}`).join("") + `H${x(tip)}`;
  const now = scoresAt(fold, version);
  const spoken = now ? seats.map((seat) => `${seatName(seat)}: ${written(now[seat])}`).join(", ") : say("before");
  return html`<section class="panel curve"><h2>${say("curve")}</h2>
    <svg viewBox="0 0 1000 205" preserveAspectRatio="none" role="img" aria-label=${`${say("curve")}. ${spoken}`}>
      <line class="grid" x1="0" x2="1000" y1=${y(0)} y2=${y(0)} /><line class="grid" x1="0" x2="1000" y1=${y(most)} y2=${y(most)} />
      ${seats.map((seat) => html`<path key=${seat} class=${`score-line seat-${seat}`} d=${path(seat)} />`)}
      <line class="head" x1=${x(version)} x2=${x(version)} y1="0" y2="205" /></svg>
    <ul class="legend">${seats.map((seat) => html`<li key=${seat}><svg class="swatch" viewBox="0 0 30 8" aria-hidden="true"><path class=${`score-line seat-${seat}`} d="M0 4H30" /></svg>
      ${seatName(seat)} <strong>${now ? written(now[seat]) : "–"}</strong></li>`)}</ul>
    ${table}</section>`;
}

function ScoreTable({ points, say, seatName, go }) {
  return html`<details><summary>${say("curveTable")}</summary><div class="scroll" tabindex="0" role="region" aria-label=${say("curveTable")}><table>
    <thead><tr><th scope="col">${say("version")}</th>${points[0]?.scores.map((_, seat) => html`<th scope="col" key=${seat}>${seatName(seat)}</th>`)}</tr></thead>
    <tbody>${points.map(({ version, scores }) => html`<tr key=${version}><th scope="row"><button class="link" onClick=${() => go(version)}>${version}</button></th>
      ${scores.map((score, seat) => html`<td key=${seat}>${written(score)}</td>`)}</tr>`)}</tbody></table></div></details>`;
}

/** How all seats are called, as one text: what long lists are made anew for. */
const namesOf = (seatName, points) => points[0]?.scores.map((_, seat) => seatName(seat)).join();

/** The versions of a line at which a score changed, the start first. */
function changesOf(fold, line) {
  const points = [];
  for (const version of line) {
    const scores = scoresAt(fold, version);
    if (scores && points.at(-1)?.scores.join() !== scores.join()) points.push({ version, scores });
  }
  return points;
}

function verdictOf(claim, say) {
  if (claim.truthful === null) return html`<span class="tag">${say("notPublic")}</span>`;
  return claim.truthful ? html`<span class="tag true">✓ ${say("truth")}</span>` : html`<span class="tag false">✕ ${say("bluff")}</span>`;
}

/** Every claim: what was declared, what lay there as far as it is public, and who asked. */
export function Claims({ found, story, version, say, texts, seatName, go }) {
  const { claims, tallies } = found;
  const now = useMemo(() => {
    const line = new Set(story?.lineTo(version));
    return claims.filter((claim) => line.has(claim.version)).at(-1)?.version;
  }, [claims, story, version]);
  const list = useRef(null);
  useEffect(() => {
    const row = list.current?.querySelector("[aria-current]");
    if (row) list.current.scrollTop = row.offsetTop - list.current.offsetTop - list.current.clientHeight / 2;
  }, [now]);
  const rows = useMemo(() => claims.map((claim) => html`<${Claim} key=${claim.version} claim=${claim} now=${claim.version === now} ...${{ say, texts, seatName, go }} />`),
    [claims, now, say, texts, claims.map((claim) => seatName(claim.seat)).join()]);
  return html`<section class="panel claims"><h2>${say("claims")}</h2>
    ${claims.length === 0 ? html`<p class="faint">${say("noClaims")}</p>` : html`<ol class="scroll" ref=${list} tabindex="0" aria-label=${say("claims")}>${rows}</ol>`}
    ${tallies && html`<${Tallies} tallies=${tallies} say=${say} seatName=${seatName} />`}</section>`;
}

function Claim({ claim, now, say, texts, seatName, go }) {
  const cards = claim.laid ? claim.laid.map(texts.card).join(", ") : `${claim.count} × ${say("hidden")}`;
  const outcome = claim.caller !== null ? say("testedBy", { seat: seatName(claim.caller) }) : say(claim.settled === null ? "open" : "untested");
  return html`<li class=${claim.undone ? "taken-back" : ""}>
    <button class="row" data-version=${claim.version} aria-current=${now ? "true" : null} onClick=${() => go(claim.version)}>
      <span class="when">${claim.version}</span>
      <span class="grow">${seatName(claim.seat)}: <strong>${claim.declared === "pair" ? say("pair") : texts.card(claim.declared)}</strong> ← ${cards}</span>
      ${verdictOf(claim, say)}<span class="tag">${outcome}</span>${claim.undone && html`<span class="tag">${say("undone")}</span>`}</button></li>`;
}

function Tallies({ tallies, say, seatName }) {
  const columns = { claims: "claims", bluffs: "bluffs", caught: "caught", calls: "calls", calls_right: "callsRight" };
  return html`<details><summary>${say("tallies")}</summary><div class="scroll" tabindex="0" role="region" aria-label=${say("tallies")}><table>
    <thead><tr><td></td>${Object.values(columns).map((key) => html`<th scope="col" key=${key}>${say(key)}</th>`)}</tr></thead>
    <tbody>${tallies.map((tally) => html`<tr key=${tally.seat}><th scope="row">${seatName(tally.seat)}</th>
      ${Object.keys(columns).map((name) => html`<td key=${name}>${tally[name]}</td>`)}</tr>`)}</tbody></table></div></details>`;
}

const BEFORE = 6;
const AFTER = 3;

/** What happened around now, a line for each event. */
export function Happened({ records, story, version, telling, say, go }) {
  const around = [version];
  for (let at = story.previous(version); at && around.length <= BEFORE; at = story.previous(at)) around.unshift(at);
  for (let at = story.next(version), more = 0; at && more < AFTER; at = story.next(at), more += 1) around.push(at);
  return html`<section class="panel happened"><h2>${say("happened")}</h2><ol>
    ${around.map((at) => html`<li key=${at}><button class=${at > version ? "row later" : "row"} aria-current=${at === version ? "step" : null} onClick=${() => go(at)}>
      <span class="when">${at}</span><span class="grow">${telling(records[at - 1])}</span></button></li>`)}</ol></section>`;
}
