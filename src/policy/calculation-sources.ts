import type { Field } from '../dictionary/field.js';
import { parseLogic } from '../logic/parser.js';
import { fieldsIn } from '../logic/syntax.js';

const CALCULATES = /@(?:CALCTEXT|CALCDATE)\b/;

/** Whether REDCap computes the value of a field. */
export function isCalculated({ type, annotation }: Field): boolean {
  return type === 'calc' || CALCULATES.test(annotation);
}

/** Returns the fields that a calculation reads; undefined among them for one that cannot be read. */
export function sourcesOf(field: Field, known: { has(name: string): boolean }): (string | undefined)[] {
  // The formula within a tag is not delimited in a way that is documented: any name in brackets counts.
  const inTags = CALCULATES.test(field.annotation) ? bracketed(field.annotation, known) : [];
  if (field.type !== 'calc') return inTags;
  const parsed = parseLogic(field.choicesOrCalculations);
  if ('problem' in parsed) return [undefined, ...inTags];
  return [...fieldsIn(parsed.tree), ...inTags];
}

/** Returns the fields that a text refers to in brackets. */
export function bracketed(text: string, known: { has(name: string): boolean }): string[] {
  return [...text.matchAll(/\[(\w+)/g)]
    .map(([, name = '']) => name.toLowerCase())
    .filter((name) => known.has(name));
}
