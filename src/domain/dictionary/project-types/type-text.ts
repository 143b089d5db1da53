import { withoutTags } from '../without-tags.js';

// The only printer of generated TypeScript: comments for texts, `literalOf` for values, `propertyOf` and `TypeNames` for
// names. Whatever comes from a project passes through one of them.

/** Returns a JSDoc comment of some texts, each on the same line and of limited length; empty if all of them are. */
export function docComment(...texts: readonly string[]): string {
  const written = texts.map(commentText).filter((text) => text !== '');
  return written.length === 0 ? '' : `/** ${written.join('; ')} */`;
}

/** Returns a comment of some sentences, which documents nothing. */
export function plainComment(...sentences: readonly string[]): string {
  return `/* ${sentences.map(commentText).join(' ')} */`;
}

/**
 * Returns a text as one line that cannot end a comment, start a JSDoc tag, or change the text direction of other lines.
 */
function commentText(text: string): string {
  const plain = withoutTags(text)
    .replace(UNPRINTABLE, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('*/', '*\u2215')
    .replaceAll('@', '\uFF20')
    .trim();
  return plain.length > MAX_LENGTH ? `${[...plain].slice(0, MAX_LENGTH - 1).join('')}…` : plain;
}

/** Returns any text as a TypeScript string literal. */
export function literalOf(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped.replace(UNPRINTABLE, toEscape)}'`;
}

/** Returns a name as a property, quoted if necessary. */
export function propertyOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : literalOf(name);
}

/** Names interfaces uniquely: `visit_1` becomes `Visit1`. */
export class TypeNames {
  readonly #taken: Set<string>;

  constructor(reserved: readonly string[]) {
    this.#taken = new Set(reserved);
  }

  nameOf(instrument: string): string {
    const words = instrument.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const pascal = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
    const base = /^[A-Za-z]/.test(pascal) ? pascal : `Form${pascal}`;
    let name = base;
    for (let number = 2; this.#taken.has(name); number++) name = `${base}_${number}`;
    this.#taken.add(name);
    return name;
  }
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const MAX_LENGTH = 160;
/** Control characters, line separators, and characters that change the text direction. */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
