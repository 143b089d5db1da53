/** A position in the text: from `start` (inclusive) to `end` (exclusive), counted from 0 in UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The repeat instances that have a smart variable, such as `first-instance`. */
export const INSTANCE_WORDS = ['first', 'last', 'current', 'previous', 'next'] as const;

/** A repeat instance: its number, or the word of its smart variable. */
export type InstanceName = number | (typeof INSTANCE_WORDS)[number];

/** `[field]`, `[field(code)]`, `[event][field]`, `[field][2]` and their combinations. */
export interface Reference extends Span {
  readonly kind: 'reference';
  /** As written; names are case-insensitive in the language. */
  readonly field: string;
  /** The choice of a checkbox field. */
  readonly code?: string;
  /** A unique event name, or a smart variable for one, such as `first-event-name`. */
  readonly event?: string;
  readonly instance?: InstanceName;
}

export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';
export type Operator = ComparisonOperator | 'and' | 'or' | '+' | '-' | '*' | '/' | '^';

/** Another operand of a chain, with the operator before it. */
export interface Link {
  readonly operator: Operator;
  readonly operand: LogicNode;
}

/** The syntax tree of REDCap's logic. @see docs/protocol/redcap.md 7.6 (choice) */
export type LogicNode =
  | (Span & { readonly kind: 'number'; readonly text: string })
  | (Span & { readonly kind: 'text'; readonly value: string })
  | (Span & { readonly kind: 'boolean'; readonly value: boolean })
  | (Span & { readonly kind: 'smart'; readonly name: string })
  | Reference
  | (Span & { readonly kind: 'not'; readonly operand: LogicNode })
  | (Span & { readonly kind: 'sign'; readonly sign: '+' | '-'; readonly operand: LogicNode })
  | Chain
  | Call;

/**
 * Operators of the same precedence, evaluated from the left: `1 - 2 + 3`. The chain is flat, so that a filter with
 * thousands of names needs no deep stack.
 */
export interface Chain extends Span {
  readonly kind: 'chain';
  readonly first: LogicNode;
  readonly rest: readonly Link[];
}

export interface Call extends Span {
  readonly kind: 'call';
  /** In lower case. */
  readonly name: string;
  readonly arguments: readonly LogicNode[];
}

/** Operators from the lowest to the highest precedence. */
export const LEVELS: readonly (readonly Operator[])[] = [
  ['or'],
  ['and'],
  ['=', '<>', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/'],
  ['^'],
];

/** `not` has the precedence of a comparison: `not [a] = 1` means `not ([a] = 1)`. */
export const COMPARISON_LEVEL = 2;

export function isComparison(operator: Operator): operator is ComparisonOperator {
  return LEVELS[COMPARISON_LEVEL]?.includes(operator) ?? false;
}

/** Yields every node of a tree in the order of the text, outer nodes before inner ones. */
export function* nodesOf(tree: LogicNode): Generator<LogicNode, void, undefined> {
  // Uses an explicit stack, because nested generators would cost time for each level.
  const open: LogicNode[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    open.push(...childrenOf(node).reverse());
  }
}

function childrenOf(node: LogicNode): LogicNode[] {
  switch (node.kind) {
    case 'not':
    case 'sign':
      return [node.operand];
    case 'chain':
      return [node.first, ...node.rest.map(({ operand }) => operand)];
    case 'call':
      return [...node.arguments];
    default:
      return [];
  }
}

/** Returns the fields and form statuses that logic reads, in lower case. */
export function fieldsIn(tree: LogicNode): string[] {
  return [...nodesOf(tree)].flatMap((node) => (node.kind === 'reference' ? [node.field.toLowerCase()] : []));
}
