// Legal actions as the API lists them: actions, and forms in which something is to be chosen.
//
//   Forms({ legal, chosen, select, play, table })
//
// `chosen` are the cards chosen in the hand and `select(cards)` chooses others; `play(action)` sends
// an action. `table` is what words need: { view, texts, say, seatName, names }.

import { html, useState } from "./vendor/htm-preact.mjs";
import { screams } from "./cards.mjs";
import * as choices from "./choices.mjs";

/** The rule that speaks of an action first. */
export const RULES = {
  discard_pair: "SF-3", discard_protein: "SF-4", cook: "SF-11", end_turn: "SF-12", call: "SF-6", pass: "SF-6", reduce: "SF-12",
  serve: "JD-4", end: "JD-4", kitchen: "JD-3", dump: "JD-3", poach: "JD-20", block: "JD-21", let_go: "JD-24", buffet: "JD-30",
  return_guest: "JD-30", discard_guest: "JD-7",
  stock: "ME-5", ask_memesio: "ME-7", ask_nyamonas: "ME-8", ask_maiti: "ME-9", invent: "ME-11",
};
export const ruleOf = (type, ruleset) => (type === "cook" && ruleset === "memesio" ? "ME-3" : RULES[type]);

// The actions that take cards chosen in the hand, though they list them as one of several values.
const FROM_HAND = { stock: "card" };

function dessertName(number, { view, texts, say, names }) {
  const dessert = choices.findDessert(view.board, number);
  if (!dessert) return `${say("desserts")} ${number}`;
  return dessert.recipe ? texts.term("recipes", dessert.recipe) : names?.[dessert.text?.id] || say("invention");
}

function componentName(texts, id) {
  const ingredient = texts.term("ingredients", id);
  return ingredient === id ? texts.term("recipes", id) : ingredient;
}

function sourceName(source, table) {
  const { texts, say, view, seatName } = table;
  if (source.from === "table") {
    const author = view.board.players.find((player) => player.desserts.some((dessert) => dessert.number === source.dessert));
    return `${dessertName(source.dessert, table)} (${author ? seatName(author.seat) : ""})`;
  }
  const where = { hand: "fromHand", pantry: "fromPantry", packet: "asPacket" }[source.from];
  return `${texts.card(source.card)} (${say(where)})`;
}

/** Put one of the listed values into words: a card, a dessert, what Maiti leaves. */
function valueName(name, value, form, table) {
  const { texts, say, view, seatName } = table;
  if (name === "seat") return seatName(value);
  if (typeof value === "string") return texts.card(value);
  if (typeof value === "number") return dessertName(value, table);
  if (value.as === "nested") return say("keepNested", { card: dessertName(value.dessert, table) });
  const card = choices.cardsOf(choices.findDessert(view.board, form.dessert))[value.place];
  return say(value.as === "hand" ? "keepHand" : "keepAlone", { card: texts.card(card) });
}

const SURE = { ready: true, hint: null };

/** Make an action of a form and what was chosen; say whether it fits, and if not what is missing. */
function fill(form, chosen, own, say) {
  const action = { ...form };
  let state = SURE;
  for (const [name, value] of Object.entries(form)) {
    if (!choices.isChoice(value)) continue;
    let ready = true;
    let hint = null;
    if (choices.isPick(value)) {
      action[name] = chosen;
      ready = choices.fits(value, chosen);
      const some = value.least === value.most ? "pickSome" : "pickMore";
      const wrong = chosen.length < value.least || chosen.length > value.most;
      hint = !wrong ? null : value.meet.length && chosen.length === 0 ? say("choose") : say(some, value);
    } else if (FROM_HAND[form.type] === name) {
      [action[name]] = chosen;
      ready = chosen.length === 1 && value.values.includes(chosen[0]);
      hint = ready ? null : say("pickSome", { least: 1 });
    } else if (choices.isSources(value)) {
      action[name] = choices.solve(value, own[name]) || choices.solve(value);
    } else if (choices.isMixture(value)) {
      action[name] = (own[name] || choices.ingredients(value, []).slice(0, 2)).filter(Boolean);
      ready = action[name].length >= value.least && action[name].every((source, place) => choices.inReach(value, action[name].slice(0, place), source));
    } else if (choices.isOneOf(value)) {
      action[name] = value.values[own[name] ?? 0];
    } else {
      action[name] = (own[name] || "").trim().replace(/\s+/g, " ");
      ready = action[name].length >= value.least && action[name].length <= value.most;
      hint = ready ? null : say("inventionName");
    }
    if (!ready) state = { ready: false, hint: state.hint || hint };
  }
  return { action, ...state };
}

function Select({ label, options, value, name, set }) {
  return html`<label class="field">${label} <select data-field=${name} value=${value} onChange=${(event) => set(Number(event.target.value))}>
    ${options.map((text, index) => html`<option key=${index} value=${index}>${text}</option>`)}</select></label>`;
}

function SourceFields({ name, value, chosen, pins, set, table }) {
  return value.components.map((component, place) => html`<${Select} key=${place} name=${name}
    label=${componentName(table.texts, component.name)} options=${component.sources.map((source) => sourceName(source, table))}
    value=${component.sources.findIndex((source) => JSON.stringify(source) === JSON.stringify(chosen[place]))}
    set=${(index) => {
      const wanted = { ...pins, [place]: component.sources[index] };
      set(choices.solve(value, wanted) ? wanted : { [place]: component.sources[index] });
    }} />`);
}

function MixtureFields({ name, value, chosen, set, table }) {
  const places = Array.from({ length: value.most }, (_, place) => place);
  return places.map((place) => {
    const options = place > chosen.length ? [] : choices.ingredients(value, chosen.slice(0, place));
    const none = place >= value.least ? [null] : [];
    const all = [...none, ...options];
    if (options.length === 0) return null;
    return html`<${Select} key=${place} name=${name} label=${`${place + 1}.`}
      options=${all.map((source) => (source ? sourceName(source, table) : "–"))}
      value=${all.findIndex((source) => JSON.stringify(source) === JSON.stringify(chosen[place] ?? null))}
      set=${(index) => set([...chosen.slice(0, place), all[index]].filter(Boolean))} />`;
  });
}

/** What is to be chosen beside the cards of the hand. */
function Fields({ form, action, own, setOwn, table }) {
  const set = (name) => (value) => setOwn({ ...own, [name]: value });
  return Object.entries(form).filter(([, value]) => choices.isChoice(value)).map(([name, value]) => {
    if (choices.isPick(value) || FROM_HAND[form.type] === name) return null;
    const props = { key: name, name, value, chosen: action[name], table, set: set(name) };
    if (choices.isSources(value)) return html`<${SourceFields} ...${props} pins=${own[name]} />`;
    if (choices.isMixture(value)) return html`<${MixtureFields} ...${props} />`;
    if (choices.isOneOf(value)) {
      return html`<${Select} key=${name} name=${name} label=${table.say(name === "keeps" ? "keep" : name === "takes" ? "take" : "give")}
        options=${value.values.map((each) => valueName(name, each, form, table))} value=${own[name] ?? 0} set=${set(name)} />`;
    }
    return html`<label class="field" key=${name}>${table.say("inventionName")}
      <input data-field=${name} maxlength=${value.most} value=${own[name] || ""} onInput=${(event) => set(name)(event.target.value)} /></label>`;
  });
}

/** What an action would bring, where the page can tell. */
function gain(form, action, { texts, view, seatName, say }) {
  if (form.declared) return say("draws", { count: texts.fact(form.declared)?.draws });
  if (form.type === "discard_pair") return say("draws", { count: 3 });
  if (form.type !== "cook") return null;
  if (choices.isPick(form.cards)) {
    return choices.fits(form.cards, action.cards) ? `${choices.dishPoints(action.cards, texts)} ${say("score")}` : null;
  }
  return choices.earnings(form.sources, action.sources, view.you.seat)
    .map(({ seat, screams: some }) => (seat === view.you.seat ? `${screams(some)} ♪` : `${seatName(seat)}: ${screams(some)} ♪`)).join(", ");
}

const rich = (form) => Object.entries(form).some(([name, value]) =>
  choices.isChoice(value) && !choices.isPick(value) && FROM_HAND[form.type] !== name);

function Form({ form, alone, chosen, select, play, table }) {
  const [own, setOwn] = useState({});
  const [hint, setHint] = useState(null);
  const { texts, say } = table;
  const { action, ready, hint: missing } = fill(form, chosen, own, say);
  const fixed = Object.entries(form).filter(([name, value]) => name !== "type" && !choices.isChoice(value) &&
    !(alone && name === "card" && texts.fact(value)?.special));
  const details = fixed.map(([name, value]) => (form.type === "cook" && name === "card"
    ? texts.term("recipes", texts.fact(value).recipe.id) : valueName(name, value, form, table)));
  const brings = gain(form, action, table);
  const label = [...(alone || details.length === 0 ? [texts.action(form.type)] : []), ...details.reverse()].join(" · ");
  const pick = Object.values(form).find(choices.isPick);
  const press = () => {
    setHint(null);
    if (ready) return play(action);
    if (chosen.length === 0 && pick?.meet.length) {
      return select(form.type === "cook" ? choices.proposeDish(pick, texts) : choices.propose(pick));
    }
    if (missing) return setHint(missing);
    return play(action); // it does not fit: the service says which rule is against it
  };
  const chose = Object.keys(own).length > 0;
  return html`<div class=${rich(form) ? "form rich" : "form"}>
    <button type="button" class=${ready && (pick || FROM_HAND[form.type]) ? "act main" : ready ? "act" : "act wanting"} data-type=${form.type}
      data-ready=${ready ? "true" : "false"} aria-label=${alone ? undefined : `${texts.action(form.type)}: ${label}`} onClick=${press}>${label}
      ${brings && html` <small>${brings}</small>`}${!ready && missing && html` <small>${missing}</small>`}</button>
    ${rich(form) && html`<details open=${chose || choices.isChoice(form.name)}><summary>${say("choices")}</summary>
      <div class="fields"><${Fields} ...${{ form, action, own, setOwn, table }} /></div></details>`}
    ${hint && html`<p class="hint" role="status">${hint}</p>`}</div>`;
}

const keyOf = (form) => Object.values(form).filter((value) => !choices.isChoice(value)).join(" ");

/** The forms of one kind of action, and the rule that speaks of it. */
function Group({ type, forms, ...rest }) {
  const [open, setOpen] = useState(false);
  const { texts, say, view } = rest.table;
  const rule = ruleOf(type, view.ruleset);
  return html`<div class="group" role="group" aria-label=${texts.action(type)}>
    ${forms.length > 1 && html`<span class="group-name" aria-hidden="true">${texts.action(type)}</span>`}
    ${forms.map((form) => html`<${Form} key=${keyOf(form)} form=${form} alone=${forms.length === 1} ...${rest} />`)}
    <button type="button" class="why" aria-expanded=${open ? "true" : "false"} aria-label=${`${say("whatIs")} ${texts.action(type)}`}
      onClick=${() => setOpen(!open)}>?</button>
    ${open && html`<p class="rule"><strong>${rule}</strong> ${texts.rule(rule)}</p>`}</div>`;
}

export function Forms({ legal, ...rest }) {
  const types = [...new Set(legal.map((form) => form.type))];
  return html`<div class="buttons">${types.map((type) => html`<${Group} key=${type} type=${type}
    forms=${legal.filter((form) => form.type === type)} ...${rest} />`)}</div>`;
}

/** What the game has beside that, with the rule that tells when it can be done. */
export function NotNow({ legal, table }) {
  const { texts, say, view } = table;
  const others = texts.detail.actions.filter(({ id }) => !legal.some((form) => form.type === id));
  if (others.length === 0) return null;
  return html`<details class="not-now"><summary>${say("notNow")}</summary><dl>${others.map(({ id, label }) => {
    const rule = ruleOf(id, view.ruleset);
    return html`<div key=${id}><dt>${label}</dt><dd><strong>${rule}</strong> ${texts.rule(rule)}</dd></div>`;
  })}</dl></details>`;
}
