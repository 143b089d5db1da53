/** Where something stands in the text: from `start` up to, and without, `end`, counted from 0 in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An instance of what repeats: its number, or the smart variable that stands for one. */
export type InstanceName = number | 'first' | 'last' | 'current' | 'previous' | 'next';

/** `[field]`, `[field(code)]`, `[event][field]`, `[field][2]` and their combinations. */
export interface Reference extends Span {
  readonly kind: 'reference';
  /** As it was written: the language matches names without case. */
  readonly field: string;
  /** The choice of a checkbox field. */
  readonly code?: string;
  /** A unique event name, or a smart variable that stands for one: `first-event-name`. */
  readonly event?: string;
  readonly instance?: InstanceName;
}

export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';
export type Operator = ComparisonOperator | 'and' | 'or' | '+' | '-' | '*' | '/' | '^';

/** One more operand of a chain, behind its operator. */
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

/** Operators of one level, read from the left: `1 - 2 + 3`. Flat, so that a filter of thousands of names needs no deep stack. */
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

/** Operators from the loosest to the tightest. */
export const LEVELS: readonly (readonly Operator[])[] = [
  ['or'],
  ['and'],
  ['=', '<>', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/'],
  ['^'],
];

/** `not` stands where a comparison stands: `not [a] = 1` is `not ([a] = 1)`. */
export const COMPARISON_LEVEL = 2;

export function isComparison(operator: Operator): operator is ComparisonOperator {
  return LEVELS[COMPARISON_LEVEL]?.includes(operator) ?? false;
}

/** Every node of a tree, the outer before the inner, in the order of the text. */
export function* nodesOf(tree: LogicNode): Generator<LogicNode, void, undefined> {
  // With a list of its own: the stack of nested generators would cost time for each level.
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
