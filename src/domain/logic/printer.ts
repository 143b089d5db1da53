import { COMPARISON_LEVEL, LEVELS, type InstanceName, type LogicNode, type Reference } from './syntax.js';

/**
 * Writes a tree as logic with only the necessary parentheses.
 *
 * @returns text that `parseLogic` parses into an equal tree, except for the positions
 */
export function printLogic(tree: LogicNode): string {
  return print(tree, 0);
}

const TIGHTEST = LEVELS.length;

/** @param level the lowest operator precedence that needs no parentheses here */
function print(node: LogicNode, level: number): string {
  const text = printBare(node);
  return levelOf(node) < level ? `(${text})` : text;
}

function printBare(node: LogicNode): string {
  switch (node.kind) {
    case 'number':
      return node.text;
    case 'text':
      return quoted(node.value);
    case 'boolean':
      return String(node.value);
    case 'smart':
      return `[${node.name}]`;
    case 'reference':
      return printReference(node);
    case 'not':
      return `not ${print(node.operand, COMPARISON_LEVEL)}`;
    case 'sign':
      return node.sign + print(node.operand, TIGHTEST);
    case 'call':
      return `${node.name}(${node.arguments.map((argument) => print(argument, 0)).join(', ')})`;
    case 'chain': {
      const inner = levelOf(node) + 1;
      const rest = node.rest.map(({ operator, operand }) => ` ${operator} ${print(operand, inner)}`);
      return print(node.first, inner) + rest.join('');
    }
  }
}

function levelOf(node: LogicNode): number {
  if (node.kind === 'not') return COMPARISON_LEVEL;
  if (node.kind !== 'chain') return TIGHTEST;
  const operator = node.rest[0]?.operator;
  return LEVELS.findIndex((operators) => operator !== undefined && operators.includes(operator));
}

/** @returns a reference such as `[baseline_arm_1][sites(3)][last-instance]` */
function printReference({ field, code, event, instance }: Omit<Reference, 'kind' | 'start' | 'end'>): string {
  const choice = code === undefined ? '' : `(${code})`;
  return `${event === undefined ? '' : `[${event}]`}[${field}${choice}]${printInstance(instance)}`;
}

function printInstance(instance: InstanceName | undefined): string {
  if (instance === undefined) return '';
  return typeof instance === 'number' ? `[${instance}]` : `[${instance}-instance]`;
}

/**
 * Writes a text as a string in REDCap's logic.
 *
 * It is not known how a quote inside a string is escaped. A text is therefore wrapped in the kind of quotes that it
 * does not contain, and cannot be written if it contains both (docs/protocol/redcap.md 7.3, choice). A backslash cannot
 * be written either: some clients escape with it, so a server may read it as an escape.
 *
 * @returns undefined if the text cannot be written safely
 */
export function quoteText(text: string): string | undefined {
  if (/[\u0000-\u001f\u007f\\]/.test(text) || (text.includes("'") && text.includes('"'))) return undefined;
  return quoted(text);
}

/** Quotes a text that contains at most one kind of quote, as one that was parsed does. */
function quoted(text: string): string {
  return text.includes("'") ? `"${text}"` : `'${text}'`;
}
