import { LogicError } from './logic-error.js';

/** A token of logic. The text of a string is without quotes, that of a reference without brackets. */
export type Token =
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'reference'; readonly text: string }
  | { readonly kind: 'sign'; readonly text: string };

/** Maximum length of logic; anything longer is a mistake or an attack. */
const MAX_LENGTH = 50_000;

// One alternative per token; text that matches none of them is an error.
const TOKEN =
  /(?<blank>\s+|(?:\/\/|#)(?<=(?:^|\n)[^\S\n]*(?:\/\/|#))[^\n]*)|(?<reference>\[[^[\]]*\])|(?<number>\d+(?:\.\d+)?|\.\d+)|"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<name>[A-Za-z_][A-Za-z0-9_]*)|(?<sign><>|!=|<=|>=|[=<>+\-*/^(),])/y;

/**
 * Splits logic into tokens, without blanks and comments.
 *
 * @throws {LogicError} the logic is too long, a character starts no token, or a string is unterminated
 */
export function tokenize(source: string): Token[] {
  if (source.length > MAX_LENGTH) throw new LogicError('it is too long');
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < source.length) {
    const position = pattern.lastIndex;
    const groups = pattern.exec(source)?.groups;
    if (groups === undefined) throw new LogicError(`it cannot be read at character ${position + 1}`);
    const token = toToken(groups);
    if (token !== undefined) tokens.push(token);
  }
  return tokens;
}

function toToken(groups: Readonly<Record<string, string | undefined>>): Token | undefined {
  const { reference, number, double, single, name, sign } = groups;
  if (reference !== undefined) return { kind: 'reference', text: reference.slice(1, -1).trim() };
  if (number !== undefined) return { kind: 'number', text: number };
  const text = double ?? single;
  if (text !== undefined) return { kind: 'string', text };
  if (name !== undefined) return { kind: 'name', text: name };
  return sign === undefined ? undefined : { kind: 'sign', text: sign };
}
