/** A field as logic names it: in another event, in a repeat instance, one choice of a checkbox. */
export interface LogicReference {
  readonly field: string;
  /** The choice of a checkbox field. */
  readonly code?: string;
  /** A unique event name. */
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
  | {
      readonly kind: 'operation';
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Expression[] };
