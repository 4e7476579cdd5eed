// What the folds of all games share: cards of which some are not known, and decisions.
// A card that the viewer may not see is null; a hand's known cards are kept sorted, as the service does.

export const unknown = (count) => Array(count).fill(null);

/** All cards of a game as they lie before the first shuffle, which tells nothing: sorted. */
export const wholeDeck = (facts) =>
  facts.flatMap((card) => Array(card.copies ?? 1).fill(card.id)).sort();

/** Give a hidden part's value, or so many unknown cards. */
export const cardsOf = (part, count) => (Array.isArray(part) ? part : part?.value ?? unknown(count));

export const known = (cards) => !cards.includes(null);

export function withCards(hand, cards) {
  const all = [...hand, ...cards];
  return [...all.filter((card) => card !== null).sort(), ...unknown(all.filter((card) => card === null).length)];
}

/** Take cards out of a hand. Where it is not known which ones go, nothing is known of the rest. */
export function without(hand, cards) {
  let rest = [...hand];
  for (const card of cards) {
    if (card === null && rest.some((other) => other !== null)) {
      rest = unknown(rest.length);
    }
    const place = rest.includes(card) ? rest.indexOf(card) : rest.indexOf(null);
    if (place < 0) throw new Error(`${card} is not there`);
    rest.splice(place, 1);
  }
  return rest;
}

export const changed = (list, place, changes) =>
  list.map((each, at) => (at === place ? { ...each, ...changes } : each));

/** Open a decision, or none if there is nobody to ask. */
export const ask = (kind, opened, awaited, order = "one") =>
  (awaited.length ? { kind, opened, order, awaited } : null);

/** Strike a seat off those awaited; the decision closes with the last of them. */
export function answered(decision, seat) {
  const awaited = (decision?.awaited ?? []).filter((other) => other !== seat);
  return awaited.length ? { ...decision, awaited } : null;
}
