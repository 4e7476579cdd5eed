// As much of htm and Preact as the pages use. What a component is given is not checked by it.

export type Node = unknown;
export function html(strings: TemplateStringsArray, ...values: unknown[]): Node;
export function render(node: Node, place: Element | null): void;
export function useEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useMemo<T>(make: () => T, inputs: readonly unknown[]): T;
export function useRef<T>(first: T): { current: T };
export function useState<T>(first: T | (() => T)): [T, (next: T | ((old: T) => T)) => void];
