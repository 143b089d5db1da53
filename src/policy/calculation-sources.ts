import type { Field } from '../domain/dictionary/field.js';
import { isCalculatedByTag } from '../domain/dictionary/typed-values.js';
import { parseLogic } from '../domain/logic/parser.js';
import { wordsInBrackets } from './hidden-names.js';

/** Returns what REDCap computes the value of a field from; undefined if it is no calculation. */
export function formulaOf(field: Field): string | undefined {
  const { type, choicesOrCalculations, annotation } = field;
  // The formula within a tag is not delimited in a way that is documented: all of the annotation counts.
  const ofTags = isCalculatedByTag(field) ? annotation : undefined;
  return type === 'calc' ? `${choicesOrCalculations} ${ofTags ?? ''}` : ofTags;
}

/** Whether a formula cannot be read, and so has to count as one that reads everything. */
export function isUnreadable({ type, choicesOrCalculations }: Field): boolean {
  return type === 'calc' && 'problem' in parseLogic(choicesOrCalculations);
}

/** Returns the fields that a calculation reads; undefined among them for one that cannot be read. */
export function sourcesOf(field: Field, known: { has(name: string): boolean }): (string | undefined)[] {
  const named = bracketed(formulaOf(field) ?? '', known);
  return isUnreadable(field) ? [undefined, ...named] : named;
}

/** Returns the fields that a text refers to in brackets; undefined among them for one that is too long to be read. */
export function bracketed(text: string, known: { has(name: string): boolean }): (string | undefined)[] {
  return wordsInBrackets(text)?.filter((name) => known.has(name)) ?? [undefined];
}

/** Returns the fields that read each name. */
export function readersOf(
  reads: ReadonlyMap<Field, readonly (string | undefined)[]>,
): ReadonlyMap<string, readonly Field[]> {
  const readers = new Map<string, Field[]>();
  for (const [field, names] of reads)
    for (const name of new Set(names)) {
      if (name === undefined) continue;
      const known = readers.get(name);
      if (known === undefined) readers.set(name, [field]);
      else known.push(field);
    }
  return readers;
}
