import type { FieldProblem } from './field-problem.js';
import { nearestName } from './nearest-name.js';

/** What a project has by name, or by number. */
const KINDS = {
  field: 'a field',
  data_field: 'a field that holds data',
  file_field: 'a file field',
  instrument: 'an instrument',
  event: 'an event',
  arm: 'an arm',
  dag: 'a data access group',
  role: 'a role',
  randomization: 'a randomization',
} as const;

export type NameKind = keyof typeof KINDS;

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
  return ruledOut(field, name, `is not ${KINDS[kind]} of this project`, known);
}

/** The problem of a name that breaks another rule, such as that of an instrument which is no survey. */
export function ruledOut(
  field: string,
  name: unknown,
  rule: string,
  known: Iterable<string> = [],
): FieldProblem {
  const text = typeof name === 'number' ? String(name) : name;
  if (typeof text !== 'string' || !NAME.test(text)) return { field, message: rule };
  const meant = nearestName(text, known);
  // A name that exists, but that the token's user may not see, is no suggestion for itself.
  const hint = meant === undefined || meant === text ? '' : `; did you mean ${meant}?`;
  return { field, name: text, message: rule + hint };
}

const NAME = /^[A-Za-z0-9][\w-]{0,99}$/;
