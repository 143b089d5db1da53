/**
 * A reference to a field in logic, optionally in another event, in a repeat instance, or to one choice of a checkbox.
 */
export interface LogicReference {
  readonly field: string;
  /** The choice of a checkbox field. */
  readonly code?: string;
  /** A unique event name, or a smart variable for one, such as `first-event-name`. */
  readonly event?: string;
  readonly instance?: number | 'first' | 'last' | 'current' | 'previous' | 'next';
}

/** @see docs/protocol/redcap.md 7.2 (doc) */
export type Operator = '=' | '<>' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '^' | 'and' | 'or';

/** A parsed logic expression. */
export type Expression =
  | { readonly kind: 'value'; readonly value: string | number }
  | { readonly kind: 'reference'; readonly reference: LogicReference }
  | { readonly kind: 'smart'; readonly name: string }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'negative'; readonly operand: Expression }
  | { readonly kind: 'chain'; readonly first: Expression; readonly rest: readonly Link[] }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Expression[] };

/** An operator and its right operand in a left-associative chain: `1 - 2 + 3` has the links `- 2` and `+ 3`. */
export interface Link {
  readonly operator: Operator;
  readonly operand: Expression;
}
