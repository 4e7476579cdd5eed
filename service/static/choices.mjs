// What can be chosen in a listed form, and whether a choice fits: the page's side of what the
// contract says about forms. The service has the last word.

export const isChoice = (value) => value !== null && typeof value === "object";
export const isPick = (value) => isChoice(value) && Array.isArray(value.meet);
export const isSources = (value) => isChoice(value) && Array.isArray(value.components);
export const isMixture = (value) => isChoice(value) && Array.isArray(value.stacks) && !value.components;
export const isOneOf = (value) => isChoice(value) && Array.isArray(value.values);

/** Take one card out of a list; say whether it was there. */
function takeOut(rest, card) {
  const place = rest.indexOf(card);
  if (place >= 0) rest.splice(place, 1);
  return place >= 0;
}

/** Say whether chosen cards fit a pick: so many of those listed, one at least of each list to meet. */
export function fits(pick, chosen) {
  const rest = [...pick.cards];
  return chosen.every((card) => takeOut(rest, card)) && chosen.length >= pick.least && chosen.length <= pick.most &&
    pick.meet.every((list) => chosen.some((card) => list.includes(card)));
}

/** Propose cards for a pick: few that meet every list, then as many as are needed. */
export function propose(pick) {
  const rest = [...pick.cards];
  const chosen = [];
  for (;;) {
    const unmet = pick.meet.filter((list) => !chosen.some((card) => list.includes(card)));
    if (unmet.length === 0) break;
    const meets = (card) => unmet.filter((list) => list.includes(card)).length;
    const best = rest.reduce((one, other) => (meets(other) > meets(one) ? other : one));
    chosen.push(best);
    takeOut(rest, best);
  }
  while (chosen.length < pick.least) chosen.push(rest.shift());
  return chosen;
}

/** What a dish of Stir Fry Eighteen scores: of each card the best line whose companions are there. */
export function dishPoints(dish, texts) {
  const lineOf = (card) => texts.fact(card)?.lines.filter((line) => line.companions.every((other) => dish.includes(other))) || [];
  return dish.reduce((sum, card) => sum + Math.max(0, ...lineOf(card).map((line) => line.points)), 0);
}

/** Propose the dish that scores most. */
export function proposeDish(pick, texts) {
  let best = propose(pick);
  for (let bits = 1; bits < 1 << pick.cards.length; bits += 1) {
    const dish = pick.cards.filter((_, place) => bits & (1 << place));
    if (fits(pick, dish) && dishPoints(dish, texts) > dishPoints(best, texts)) best = dish;
  }
  return best;
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Say whether a source is still there after those before it: a card once, stacks from the top. */
export function inReach(choice, before, source) {
  if (source.from === "table") return !before.some((other) => same(other, source));
  if (source.from !== "pantry") {
    const used = before.filter((other) => (other.from === "hand" || other.from === "packet") && other.card === source.card);
    return used.length < choice.hand.filter((card) => card === source.card).length;
  }
  const stack = choice.stacks.find((cards) => cards.includes(source.card)) || [];
  const taken = before.filter((other) => other.from === "pantry" && stack.includes(other.card)).length;
  return stack[taken] === source.card;
}

/** Find sources for all components, those given in `pins` by their place kept; null if there are none. */
export function solve(choice, pins = {}, chosen = []) {
  const place = chosen.length;
  if (place === choice.components.length) return chosen;
  const options = pins[place] ? [pins[place]] : choice.components[place].sources;
  for (const source of options) {
    const found = inReach(choice, chosen, source) && solve(choice, pins, [...chosen, source]);
    if (found) return found;
  }
  return null;
}

/** Who would get what, in half-screams, if a recipe were cooked from these sources (ME-4, ME-10). */
export function earnings(choice, chosen, own) {
  const used = chosen.filter((source) => source.from === "table")
    .map((source) => choice.servings.find((serving) => serving.dessert === source.dessert));
  const packet = chosen.some((source) => source.from === "packet");
  const cook = packet ? 0 : used.some((serving) => serving?.marked) ? choice.halved : choice.full;
  const authors = [...new Set(used.map((serving) => serving?.seat))].filter((seat) => seat !== undefined && seat !== own);
  return [{ seat: own, screams: cook }, ...authors.map((seat) => ({ seat, screams: Math.floor(cook / 2) }))];
}

/** List what a mixture can take: each card of the hand, and of each stack the next after those before it. */
export function ingredients(choice, before) {
  const options = [
    ...[...new Set(choice.hand)].map((card) => ({ from: "hand", card })),
    ...choice.stacks.flat().map((card) => ({ from: "pantry", card })),
  ];
  return options.filter((source) => inReach(choice, before, source));
}

/** List a dessert's cards: recipe card first, then its parts in order, depth first (ME-8). */
export function cardsOf(dessert) {
  const parts = dessert.parts.flatMap((part) => (typeof part === "string" ? [part] : cardsOf(part)));
  return dessert.card ? [dessert.card, ...parts] : parts;
}

/** Find a dessert on the table or nested in one, by its number. */
export function findDessert(board, number) {
  const within = (list) => {
    for (const dessert of list) {
      if (typeof dessert === "string") continue;
      const found = dessert.number === number ? dessert : within(dessert.parts);
      if (found) return found;
    }
    return null;
  };
  return within((board?.players || []).flatMap((player) => player.desserts || []));
}
