import type { FieldProblem } from '../errors/field-problem.js';
import { say, type NameKind } from '../errors/sentences.js';
import { isFieldName } from './names.js';

/**
 * Returns the name that was most likely meant: one that differs only in case, blanks and punctuation, or in a few
 * typing mistakes.
 *
 * @param name the name as written; one of more than 100 characters has no match
 * @returns undefined if no candidate is close
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = simplified(name);
  if (wanted === '' || name.length > MAX_LENGTH) return undefined;
  let nearest: string | undefined;
  let limit = wanted.length < 3 ? 0 : Math.min(3, Math.ceil(wanted.length / 4));
  for (const candidate of candidates) {
    const known = simplified(candidate);
    if (known === wanted) return candidate;
    const distance = distanceWithin(wanted, known, limit);
    if (distance > limit || (nearest !== undefined && distance === limit)) continue;
    nearest = candidate;
    limit = distance;
  }
  return nearest;
}

/**
 * Returns the option or parameter that was most likely meant: the nearest name, or else the first one with which the
 * name shares its first or last words, such as `filterLogic` for `filter`. `filter-logic` is the same as `filterLogic`.
 *
 * @returns undefined if no option is like the name
 */
export function nearestOption(name: string, options: Iterable<string>): string | undefined {
  const known = [...options];
  const nearest = nearestName(name, known);
  if (nearest !== undefined || name.length < 3 || name.length > MAX_LENGTH) return nearest;
  const wanted = inWords(name);
  return known.find((option) => {
    const words = inWords(option);
    return words.startsWith(wanted) || words.endsWith(`_${wanted}`) || wanted.startsWith(`${words}_`);
  });
}

/** Returns `surveyFields`, `survey-fields` and `SURVEY_FIELDS` as `survey_fields`. */
function inWords(name: string): string {
  return simplified(name.replace(/([a-z])([A-Z])/g, '$1_$2'));
}

const MAX_LENGTH = 100;

/** Most names of a project: nothing needs to be simplified. */
const SIMPLE = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

function simplified(name: string): string {
  if (SIMPLE.test(name)) return name;
  return name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_');
}

/**
 * Returns the edit distance, counting swapped neighbours as one edit, or a number above the limit as soon as it is
 * certainly exceeded. A cell further from the diagonal than the limit cannot be part of a short way, so it is skipped.
 */
function distanceWithin(from: string, to: string, limit: number): number {
  const beyond = limit + 1;
  if (Math.abs(from.length - to.length) > limit) return beyond;
  let [before, previous, current]: [number[], number[], number[]] = [[], [], []];
  for (let column = 0; column <= Math.min(to.length, limit); column++) previous[column] = column;
  for (let row = 1; row <= from.length; row++) {
    const [first, last] = [Math.max(1, row - limit), Math.min(to.length, row + limit)];
    current[first - 1] = first === 1 ? row : beyond;
    let least = beyond;
    for (let column = first; column <= last; column++) {
      const isSame = from[row - 1] === to[column - 1];
      let distance = Math.min(
        (previous[column] ?? beyond) + 1,
        (current[column - 1] ?? beyond) + 1,
        (previous[column - 1] ?? beyond) + (isSame ? 0 : 1),
      );
      const isSwapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwapped) distance = Math.min(distance, (before[column - 2] ?? beyond) + 1);
      current[column] = distance;
      least = Math.min(least, distance);
    }
    if (least > limit) return beyond;
    current[last + 1] = beyond;
    [before, previous, current] = [previous, current, before];
  }
  return previous[to.length] ?? beyond;
}

/**
 * The problem of a name that the project does not have. Its sentence begins with the name, which may be repeated: it is
 * one of the caller, and never a record's value.
 *
 * @param field where the name was given
 * @param name if known; one that does not have the form of names is left out
 * @param known the names that may have been meant
 */
export function unknownName(
  kind: NameKind,
  field: string,
  name: unknown,
  known: Iterable<string> = [],
): FieldProblem {
  return ofName({ field, ...say('unknown_name', { kind }) }, name, known);
}

/** The same where one of several names is that of nothing, and REDCap does not say which. */
export function unknownAmong(
  kind: NameKind,
  field: string,
  names: readonly (string | number)[],
): FieldProblem {
  if (names.length === 1) return unknownName(kind, field, names[0]);
  const among = names.slice(0, MAX_NAMES).flatMap((name) => unknownName(kind, field, name).name ?? []);
  return { field, ...say('unknown_name', { kind, among }) };
}

/** How many names of a list are repeated. */
const MAX_NAMES = 10;

/** The problem of an instrument that is no survey, there or anywhere, or of one without a code to return with. */
export function surveyProblem(code: 'not_a_survey' | 'no_return_later', name: unknown): FieldProblem {
  return ofName({ field: 'instrument', ...say(code) }, name);
}

/** The problem of a column that cannot be imported. A name of another form than a field's could be a value. */
export function notImportable(name: string): FieldProblem {
  return { field: isFieldName(name) ? name : 'data', ...say('not_importable') };
}

/** Whether a problem is that of a name, or number, that the project does not have, or has as something else. */
export function isUnknownName({ code }: FieldProblem): boolean {
  return code === 'unknown_name' || code === 'not_a_survey';
}

/** The problem of a name that breaks another rule. */
export function ruledOut(field: string, name: unknown, rule: string): FieldProblem {
  return ofName({ field, message: rule }, name);
}

/** The same problem of a name, with the one that was probably meant. */
export function ofName(
  { name: _, ...problem }: FieldProblem,
  name: unknown,
  known: Iterable<string> = [],
): FieldProblem {
  const text = typeof name === 'number' ? String(name) : name;
  if (typeof text !== 'string' || !NAME.test(text)) return problem;
  const { field, message, code, parameters } = problem;
  const meant = nearestName(text, known);
  // A name that exists, but that the token's user may not see, is no suggestion for itself.
  if (meant === undefined || meant === text) return { ...problem, name: text };
  return {
    field,
    name: text,
    message: `${message}; did you mean ${meant}?`,
    ...(code && { code, parameters: { ...parameters, meant } }),
  };
}

const NAME = /^[A-Za-z0-9][\w-]{0,99}$/;
