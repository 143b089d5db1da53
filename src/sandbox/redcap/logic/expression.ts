/** A field as logic names it: in another event, in a repeat instance, one choice of a checkbox. */
export interface LogicReference {
  readonly field: string;
  /** The choice of a checkbox field. */
  readonly code?: string;
  /** A unique event name, or a smart variable that stands for one: `first-event-name`. */
  readonly event?: string;
  readonly instance?: number | 'first' | 'last' | 'current' | 'previous' | 'next';
}

export type Operator = '=' | '<>' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '^' | 'and' | 'or';

/** Logic, read. */
export type Expression =
  | { readonly kind: 'value'; readonly value: string | number }
  | { readonly kind: 'reference'; readonly reference: LogicReference }
  | { readonly kind: 'smart'; readonly name: string }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'negative'; readonly operand: Expression }
  | { readonly kind: 'chain'; readonly first: Expression; readonly rest: readonly Link[] }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Expression[] };

/** What follows in a chain of operators of one level, read from the left: `- 2 + 3` of `1 - 2 + 3`. */
export interface Link {
  readonly operator: Operator;
  readonly operand: Expression;
}
