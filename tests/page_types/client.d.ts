// What the pages' client gives and takes, read off the contract: the type of an answer and of a
// body follows from the path, where a script spells the path out.

import type { components, paths } from "./contract";

type Schemas = components["schemas"];
export type { components, paths };

type Plain<P extends string> = P extends `${infer Path}?${string}` ? Path : P;
type Parts<P extends string> = P extends `${infer First}/${infer Rest}` ? [First, ...Parts<Rest>] : [P];
type Fits<Given, Named> = Given extends [infer G, ...infer Gs]
  ? Named extends [infer N, ...infer Ns]
    ? N extends `{${string}}` ? Fits<Gs, Ns> : G extends N ? Fits<Gs, Ns> : false
    : false
  : Named extends [] ? true : false;

/** The path of the contract that a path is, its ids filled in and its query left out. */
export type Route<P extends string> = {
  [K in keyof paths & string]: Fits<Parts<Plain<P>>, Parts<K>> extends true ? K : never;
}[keyof paths & string];

type Method = "get" | "post" | "delete";
type Json<T> = T extends { content: { "application/json": infer Body } } ? Body : never;
type Operation<P extends string, M extends Method> = [Route<P>] extends [never]
  ? never
  : paths[Route<P>] extends { [m in M]: infer O } ? O : never;

/** What stands in place of a type where the contract does not have the path with the method. */
type Nowhere<P> = string extends P ? any : "the contract has no such path";

export type Answer<P extends string, M extends Method> = [Operation<P, M>] extends [never]
  ? Nowhere<P>
  : Operation<P, M> extends { responses: infer R } ? Json<R[keyof R & (200 | 201)]> : never;

export type Body<P extends string, M extends Method> = [Operation<P, M>] extends [never]
  ? Nowhere<P>
  : Operation<P, M> extends { requestBody: infer B } ? Json<B> : undefined;

// What the pages call these.

export type Texts = Awaited<ReturnType<typeof import("./api.mjs").loadTexts>>;
export type Say = (key: string, values?: Record<string, unknown>) => string;
export type GameView = Schemas["Game"];
export type Entry = Answer<"/v1/games/x/events", "get">["events"][number];
export type Result = Answer<"/v1/games/x/rulings", "post">;
export type Made = Answer<"/v1/games/x/rulings", "get">["rulings"][number];
export type Look = Answer<"/v1/games/x/looks", "get">["looks"][number];
export type Ruling = Schemas["Ruling"];
export type Motion = Schemas["Motion"];

/** All fields that any member of a union has, each as it is where it is. */
export type Any<U> = { [K in U extends unknown ? keyof U : never]?: U extends { [k in K]?: infer V } ? V : never };
export type AnyRuling = Any<Ruling>;
export type AnyMotion = Any<Motion>;

/** What words are made with. */
export interface Told {
  view: GameView;
  texts: Texts;
  say: Say;
  seatName: (seat: number) => string;
  people: Record<string, string>;
}

/** What a component is given that shows the table of one game, or of any. */
export type Shown<R extends GameView["ruleset"] = GameView["ruleset"]> = Omit<Told, "view" | "people"> & {
  view: Extract<GameView, { ruleset: R }>;
  names?: Record<string, string>;
};

/** What the judge's page reads of a game. */
export interface OnRecord {
  rulings: readonly Made[];
  looks: readonly Look[];
  words: Map<string, string>;
  people: Record<string, string>;
}
export interface Followed {
  view: GameView | null;
  records: Entry[];
  record: OnRecord | null;
  online: boolean;
}
