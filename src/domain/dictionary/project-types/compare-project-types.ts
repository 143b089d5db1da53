/**
 * Describes how a project has changed since its types were written.
 *
 * @param written the existing file, formatted or not
 * @param current the file as it would be written now
 * @returns one sentence per change; empty if the file is up to date
 */
export function compareProjectTypes(written: string, current: string): readonly string[] {
  if (written === current) return [];
  const [before, now] = [readProjectTypes(written), readProjectTypes(current)];
  if (!before.interfaces.has('Project')) return ['This file was not made by crf types.'];
  const changes = [
    ...changesOfInstruments(before, now),
    ...changesOfEvents(before, now),
    ...changesOfProject(before, now),
  ];
  if (changes.length > 0) return changes;
  return withoutFormatting(written) === withoutFormatting(current)
    ? []
    : ['Labels, notes or limits have changed.'];
}

function changesOfInstruments(before: WrittenTypes, now: WrittenTypes): string[] {
  const [old, current] = [before, now].map(({ interfaces }) => interfaces.get('Instruments') ?? NOTHING);
  return inBoth(old ?? NOTHING, current ?? NOTHING).flatMap(([instrument, was, is]) => {
    if (is === undefined) return [`The instrument ${instrument} is gone.`];
    if (was === undefined) return [`The instrument ${instrument} is new.`];
    const fields = inBoth(before.interfaces.get(was) ?? NOTHING, now.interfaces.get(is) ?? NOTHING);
    return fields.flatMap(([field, type, newType]) =>
      changesOfField(`${instrument}.${field}`, type, newType),
    );
  });
}

function changesOfField(place: string, was: string | undefined, is: string | undefined): string[] {
  if (was === is) return [];
  if (is === undefined) return [`The field ${place} is gone.`];
  if (was === undefined) return [`The field ${place} is new.`];
  const [kind, newKind] = [kindOf(was), kindOf(is)];
  if (kind !== newKind) return [`The field ${place} was of the type ${kind}, and is of the type ${newKind}.`];
  const [codes, newCodes] = [codesOf(was), codesOf(is)];
  const gone = without(codes, newCodes);
  const added = without(newCodes, codes);
  if (gone.length === 0 && added.length === 0) return [`The choices of ${place} are in another order.`];
  return [
    ...(gone.length > 0 ? [`The field ${place} no longer has the choice ${gone.join(', ')}.`] : []),
    ...(added.length > 0 ? [`The field ${place} has the new choice ${added.join(', ')}.`] : []),
  ];
}

function changesOfEvents(before: WrittenTypes, now: WrittenTypes): string[] {
  const old = before.interfaces.get('Events') ?? NOTHING;
  return inBoth(old, now.interfaces.get('Events') ?? NOTHING).flatMap(([event, was, is]) => {
    if (was === is) return [];
    if (is === undefined) return [`The event ${event} is gone.`];
    if (was === undefined) return [`The event ${event} is new.`];
    return [`The event ${event} has other instruments.`];
  });
}

function changesOfProject(before: WrittenTypes, now: WrittenTypes): string[] {
  const [old, current] = [before, now].map(({ interfaces }) => interfaces.get('Project') ?? NOTHING);
  return (['recordId', 'repeating', 'missing'] as const)
    .filter((member) => old?.get(member) !== current?.get(member))
    .map((member) => PROJECT_CHANGES[member]);
}

const PROJECT_CHANGES = {
  recordId: 'The record id is another field.',
  repeating: 'Other instruments repeat.',
  missing: 'The missing data codes have changed.',
} as const;

/** Returns each name of either map, with its value in both. */
function inBoth(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): (readonly [string, string | undefined, string | undefined])[] {
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names].map((name) => [name, before.get(name), now.get(name)]);
}

/** Returns `ChoiceField` for `crf . ChoiceField < 'a' | 'b' >`. */
function kindOf(type: string): string {
  return /\b(\w+)(?: <|$)/.exec(type.replace(/^crf \. /, ''))?.[1] ?? type;
}

function without(codes: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return codes.filter((code) => !known.has(code));
}

function codesOf(type: string): string[] {
  return [...type.matchAll(/'(?:[^'\\]|\\.)*'/g)].map(([code]) => code);
}

/** Removes blanks, and signs that a formatter may add, remove or replace. */
function withoutFormatting(text: string): string {
  return text.replace(/[\s'"|;,\\]+/g, '');
}

const NOTHING: ReadonlyMap<string, string> = new Map();

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
