/** The content of a file from `crf types`, without its comments. */
export interface WrittenTypes {
  /** The members of each interface, in order: name → type, on one line. */
  readonly interfaces: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/**
 * Reads the interfaces of a file written by `crf types`, even if it has been reformatted.
 *
 * @returns no interfaces if it is another file
 */
export function readProjectTypes(source: string): WrittenTypes {
  const interfaces = new Map<string, ReadonlyMap<string, string>>();
  const tokens = tokensOf(source);
  for (let at = 0; at < tokens.length; at++) {
    const name = tokens[at] === 'interface' ? tokens[at + 1] : undefined;
    if (name === undefined) continue;
    const start = tokens.indexOf('{', at);
    const end = endOfBlock(tokens, start);
    if (start === -1) break;
    interfaces.set(name, membersOf(tokens.slice(start + 1, end)));
    at = end;
  }
  return { interfaces };
}

/** Splits source text into words, strings and signs, without comments and blanks. */
function tokensOf(source: string): string[] {
  return [...source.matchAll(TOKEN)].flatMap(([token]) =>
    /^(?:\/\*|\/\/|\s)/.test(token) ? [] : [normal(token)],
  );
}

/** Unifies quotes, because a formatter may have changed them. */
function normal(token: string): string {
  if (!token.startsWith('"')) return token;
  return `'${token.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function endOfBlock(tokens: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    if (tokens[at] === '{') depth++;
    else if (tokens[at] === '}' && --depth === 0) return at;
  }
  return tokens.length;
}

function membersOf(tokens: readonly string[]): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let member: string[] = [];
  let depth = 0;
  for (const token of [...tokens, ';']) {
    if (token === '{' || token === '<') depth++;
    if (token === '}' || token === '>') depth--;
    const isEnd = token === ';' && depth === 0;
    // Without semicolons, only the colon tells that the word before it is the name of the next member.
    const isNext = token === ':' && depth === 0 && member.length > 1;
    if (!isEnd && !isNext) {
      member.push(token);
      continue;
    }
    const next = isNext ? [...member.splice(-1), token] : [];
    const [name, colon, ...type] = member;
    if (name !== undefined && colon === ':') members.set(unquoted(name), typeText(type));
    member = next;
  }
  return members;
}

/** Removes semicolons, trailing commas, and the bar that a formatter adds before the first of several lines. */
function typeText(tokens: readonly string[]): string {
  return tokens
    .filter((token) => token !== ';')
    .join(' ')
    .replace(/([<:]) \|/g, '$1')
    .replace(/^\| /, '')
    .replace(/,? >/g, ' >');
}

function unquoted(name: string): string {
  return name.startsWith("'") ? name.slice(1, -1) : name;
}

/** A comment or text that does not end takes the rest, so that nothing is read twice: any file may be given. */
const TOKEN =
  /\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*|\s+|'(?:[^'\\]|\\[^])*(?:'|$|\\$)|"(?:[^"\\]|\\[^])*(?:"|$|\\$)|[\w$]+|[^]/g;
