// Legal actions as the API lists them: actions, and forms in which something is to be chosen.

import { html, useState } from "./vendor/htm-preact.mjs";

/** Say whether chosen cards fit a pick: so many of those listed, one at least of each list to meet. */
function fits(pick, chosen) {
  const rest = [...pick.cards];
  const held = chosen.every((card) => rest.includes(card) && rest.splice(rest.indexOf(card), 1));
  return held && chosen.length >= pick.least && chosen.length <= pick.most &&
    pick.meet.every((list) => chosen.some((card) => list.includes(card)));
}

function inReach(choice, before, source) {
  const same = (other) => JSON.stringify(other) === JSON.stringify(source);
  if (source.from === "table") return !before.some(same);
  if (source.from !== "pantry") {
    const used = before.filter((other) => (other.from === "hand" || other.from === "packet") && other.card === source.card);
    return used.length < choice.hand.filter((card) => card === source.card).length;
  }
  const stack = choice.stacks.find((cards) => cards.includes(source.card)) || [];
  const taken = before.filter((other) => other.from === "pantry" && stack.includes(other.card)).length;
  return stack[taken] === source.card;
}

/** Find sources for all components of a recipe, or null. */
function sources(choice, chosen = []) {
  if (chosen.length === choice.components.length) return chosen;
  for (const source of choice.components[chosen.length].sources) {
    const found = inReach(choice, chosen, source) && sources(choice, [...chosen, source]);
    if (found) return found;
  }
  return null;
}

/** List what can be chosen in the place of a field, each as the value that is sent. */
function values(choice) {
  if (Array.isArray(choice.values)) return choice.values;
  if (choice.components) return [sources(choice)];
  if (choice.stacks) {
    const cards = [
      ...choice.hand.map((card) => ({ from: "hand", card })),
      ...choice.stacks.map((stack) => ({ from: "pantry", card: stack[0] })),
    ];
    return cards.slice(1).map((card) => [cards[0], card]);
  }
  return ["meomur"];
}

const isChoice = (value) => value !== null && typeof value === "object";
const isPick = (value) => isChoice(value) && Array.isArray(value.meet);

function named(value, texts, say) {
  if (Array.isArray(value)) return value.map((each) => named(each, texts, say)).join(" + ");
  if (!isChoice(value)) return typeof value === "number" ? `${say("desserts")} ${value}` : texts.card(value);
  if (value.as) return `${say("keep")}: ${value.as} ${value.place ?? value.dessert}`;
  return value.card ? texts.card(value.card) : `${say("desserts")} ${value.dessert}`;
}

function Form({ form, chosen, texts, say, seatName, play }) {
  const fields = Object.entries(form).filter(([name, value]) => name !== "type" && isChoice(value));
  const fixed = Object.entries(form).filter(([name, value]) => name !== "type" && !isChoice(value));
  const [picked, setPicked] = useState({});
  const details = fixed.map(([name, value]) => (name === "seat" ? seatName(value) : named(value, texts, say)));
  const label = [texts.action(form.type), ...details].join(" · ");
  const pick = fields.find(([, value]) => isPick(value));
  const ready = !pick || fits(pick[1], chosen);
  const submit = () => {
    const action = { ...form };
    for (const [name, value] of fields) action[name] = isPick(value) ? chosen : values(value)[picked[name] ?? 0];
    play(action);
  };
  return html`<div class="bar"><button class="act" data-type=${form.type} disabled=${!ready} onClick=${submit}>${label}
      ${pick && !ready && html`<span>(${say("pickMore", pick[1])})</span>`}</button>
    ${fields.filter(([, value]) => !isPick(value)).map(([name, value]) => html`<select key=${name} aria-label=${`${label}: ${name}`}
      onChange=${(event) => setPicked({ ...picked, [name]: Number(event.target.value) })}>
      ${values(value).map((each, index) => html`<option key=${index} value=${index}>${typeof each === "string" && name === "name" ? each : named(each, texts, say)}</option>`)}</select>`)}</div>`;
}

export function Forms({ legal, ...rest }) {
  return html`<div class="buttons">${legal.map((form, index) => html`<${Form} key=${index} form=${form} ...${rest} />`)}</div>`;
}
