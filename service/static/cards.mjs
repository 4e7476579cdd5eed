// Cards, in one visual language for all games: a name, a drawing, and the facts that rules use.

import { html } from "./vendor/htm-preact.mjs";
import { Drawing, Face, Plate } from "./drawings.mjs";

/** A half-scream is written as ½. */
export function screams(halves) {
  const whole = Math.floor(halves / 2);
  if (halves % 2 === 0) return String(whole);
  return whole ? `${whole}½` : "½";
}

function Frame({ id, kind, name, corner, children, facts, half, pick, selected, small, tone }) {
  const classes = ["card", kind, small && "small", selected && "selected", tone && `tone-${tone}`];
  const inside = html`<span class="card-name">${name}</span>
    ${corner && html`<span class="card-corner">${corner}</span>`}
    <span class="card-art">${children}</span>
    <span class="card-facts">${facts}</span>
    ${half && html`<span class="card-half">${half}</span>`}`;
  const className = classes.filter(Boolean).join(" ");
  if (!pick) return html`<span class=${className} data-card=${id}>${inside}</span>`;
  return html`<button type="button" class=${className} data-card=${id} aria-pressed=${selected ? "true" : "false"} onClick=${pick}>${inside}</button>`;
}

function lineText(line, texts) {
  const companions = line.companions.map(texts.card).join(", ");
  return companions ? `${line.points} + ${companions}` : String(line.points);
}

function StirFryCard({ card, texts, ...rest }) {
  const fact = texts.fact(card);
  const best = Math.max(...fact.lines.map((line) => line.points));
  const facts = fact.lines.map((line) => html`<span class="fact" key=${line.points}>${lineText(line, texts)}</span>`);
  return html`<${Frame} id=${card} kind="stir-fry" name=${texts.card(card)} corner=${best} facts=${facts}
    tone=${fact.protein ? "protein" : "plain"} ...${rest}><${Drawing} name=${card} /><//>`;
}

function taste(texts, id, mark = "") {
  return html`<span class="fact taste" key=${mark + id}><${Drawing} name=${id} size=${16} />${mark}${texts.term("tastes", id)}</span>`;
}

function DessertCard({ card, texts, ...rest }) {
  const { tastes } = texts.fact(card);
  return html`<${Frame} id=${card} kind="dessert" name=${texts.card(card)} facts=${tastes.map((id) => taste(texts, id))} ...${rest}>
    <${Plate} names=${tastes} /><//>`;
}

function GuestCard({ card, texts, ...rest }) {
  const fact = texts.fact(card);
  const favourites = [
    ...fact.favourites.map(texts.card),
    ...(fact.favourite_taste ? [texts.term("tastes", fact.favourite_taste)] : []),
  ];
  const facts = [
    ...fact.craves.map((id) => taste(texts, id)),
    ...fact.refuses.map((id) => html`<span class="refused" key=${id}>${taste(texts, id, "✕ ")}</span>`),
    favourites.length > 0 && html`<span class="fact favourite" key="favourite">♥ ${favourites.join(", ")}</span>`,
  ];
  return html`<${Frame} id=${card} kind="guest" tone=${fact.suit} name=${texts.card(card)} corner=${texts.term("suits", fact.suit)}
    facts=${facts} ...${rest}><${Face} name=${card} /><//>`;
}

function componentName(texts, id) {
  const ingredient = texts.term("ingredients", id);
  return ingredient === id ? texts.term("recipes", id) : ingredient;
}

/** What a recipe is drawn as: its own shape if there is one, else what goes into it. */
function recipeArt(recipe, texts) {
  const basic = recipe.components.flatMap((id) => {
    const inner = Object.values(texts.facts).find((fact) => fact.recipe?.id === id);
    return inner ? inner.recipe.components.slice(0, 1) : [id];
  });
  return [...new Set(basic)];
}

/** Two halves: a recipe or an effect, and below it the ingredient that the card can be instead. */
function MemesioCard({ card, texts, ...rest }) {
  const fact = texts.fact(card);
  const half = html`<${Drawing} name=${fact.ingredient} size=${20} /> ${texts.term("ingredients", fact.ingredient)}`;
  if (fact.special) {
    return html`<${Frame} id=${card} kind="memesio" tone="special" name=${texts.term("specials", fact.special)} half=${half} ...${rest}>
      <${Drawing} name=${fact.special} /><//>`;
  }
  const facts = fact.recipe.components.map((id, index) => html`<span class="fact" key=${index}>${componentName(texts, id)}</span>`);
  return html`<${Frame} id=${card} kind="memesio" tone=${`level-${fact.recipe.level}`} name=${texts.term("recipes", fact.recipe.id)}
    corner=${`${fact.recipe.screams} ♪`} facts=${facts} half=${half} ...${rest}>
    <${Plate} names=${recipeArt(fact.recipe, texts)} /><//>`;
}

/** One card, open. With `pick` it is a button. `small` leaves the facts out. */
export function Card({ card, texts, ...rest }) {
  const fact = texts.fact(card);
  if (!fact) return html`<${Frame} kind="plain" name=${card} ...${rest} />`;
  if (texts.ruleset === "stir-fry-eighteen") return html`<${StirFryCard} card=${card} texts=${texts} ...${rest} />`;
  if (texts.ruleset === "memesio") return html`<${MemesioCard} card=${card} texts=${texts} ...${rest} />`;
  const kind = fact.type === "guest" ? GuestCard : DessertCard;
  return html`<${kind} card=${card} texts=${texts} ...${rest} />`;
}

/** The back of a card: nobody sees more of it. */
export function Back({ label }) {
  return html`<span class="card back small"><span class="sr">${label}</span></span>`;
}

/** So many cards face down. */
export function Backs({ count, label }) {
  const shown = Math.min(count, 8);
  return html`<span class="backs" role="img" aria-label=${`${count} × ${label}`}>
    ${Array.from({ length: shown }, (_, index) => html`<span class="card back tiny" key=${index}></span>`)}
    <span class="count">${count}</span></span>`;
}
