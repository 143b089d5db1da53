import { say } from '../errors/sentences.js';
import { ParseStop } from './logic-problem.js';
import type { Span } from './syntax.js';

export interface Token extends Span {
  readonly kind: 'number' | 'text' | 'name' | 'bracket' | 'sign';
  /** Without quotes or square brackets. */
  readonly text: string;
}

/** The length of a filter that the REST API takes, as its document says. */
export const MAX_FILTER_LENGTH = 4_000;

/** Longer logic is a mistake or an attack. */
export const MAX_LOGIC_LENGTH = 50_000;

// One alternative per token. A comment is a line that begins with // or #, of which only the mark is matched.
const TOKEN =
  /(?<blank>\s+)|(?<comment>\/\/|#)|\[(?<bracket>[^[\]]*)\]|(?<number>\d+(?:\.\d+)?|\.\d+)|"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<name>[A-Za-z_]\w*)|(?<sign><>|!=|<=|>=|[=<>+\-*/^(),])/y;

/**
 * Splits logic into tokens.
 *
 * @throws {ParseStop} broken: a quote or square bracket that is not closed, or an unmatched parenthesis; unknown: a
 *   character that does not begin any token
 * @see docs/protocol/redcap.md 7.1, 7.2 (doc)
 */
export function tokenize(source: string): Token[] {
  if (source.length > MAX_LOGIC_LENGTH)
    throw new ParseStop(0, say('logic_too_long', { most: MAX_LOGIC_LENGTH }));
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  // Keep scanning after the first unknown character, because an unclosed bracket after it takes precedence.
  let unread: ParseStop | undefined;
  let isLineBlank = true;
  while (pattern.lastIndex < source.length) {
    const start = pattern.lastIndex;
    const groups = pattern.exec(source)?.groups;
    if (groups === undefined) {
      checkOpening(source, start);
      unread ??= new ParseStop(start, say('logic_character'));
      pattern.lastIndex = start + 1;
      isLineBlank = false;
    } else if (groups['blank'] !== undefined) {
      isLineBlank ||= groups['blank'].includes('\n');
    } else if (groups['comment'] !== undefined && isLineBlank) {
      const end = source.indexOf('\n', start);
      pattern.lastIndex = end === -1 ? source.length : end;
    } else {
      const token = toToken(groups, start, pattern.lastIndex);
      if (token === undefined) unread ??= new ParseStop(start, say('logic_comment'));
      else tokens.push(token);
      isLineBlank = false;
    }
  }
  checkParentheses(tokens);
  if (unread !== undefined) throw unread;
  return tokens;
}

/** Reports an unclosed quote or bracket. A closed one would have been matched as a token. */
function checkOpening(source: string, start: number): void {
  const character = source[start] ?? '';
  if (character === '[') throw new ParseStop(start, say('logic_not_closed', { sign: '[' }), true);
  if (character === ']')
    throw new ParseStop(start, say('logic_not_opened', { sign: ']', opening: '[' }), true);
  if (character === '"' || character === "'")
    throw new ParseStop(start, say('logic_not_closed', { sign: character }), true);
}

function checkParentheses(tokens: readonly Token[]): void {
  const open: Token[] = [];
  for (const token of tokens) {
    if (token.kind !== 'sign') continue;
    if (token.text === '(') open.push(token);
    else if (token.text === ')' && open.pop() === undefined)
      throw new ParseStop(token.start, say('logic_not_opened', { sign: ')', opening: '(' }), true);
  }
  const last = open.pop();
  if (last !== undefined) throw new ParseStop(last.start, say('logic_not_closed', { sign: '(' }), true);
}

/** Returns undefined for the mark of a comment. */
function toToken(
  groups: Readonly<Record<string, string | undefined>>,
  start: number,
  end: number,
): Token | undefined {
  const { bracket, number, double, single, name, sign } = groups;
  const text = double ?? single;
  if (bracket !== undefined) return { kind: 'bracket', text: bracket.trim(), start, end };
  if (number !== undefined) return { kind: 'number', text: number, start, end };
  if (text !== undefined) return { kind: 'text', text, start, end };
  if (name !== undefined) return { kind: 'name', text: name, start, end };
  return sign === undefined ? undefined : { kind: 'sign', text: sign, start, end };
}
