import { BLANK_USER, Caller } from './caller.js';
import type { DataRow } from './call-rules.js';
import type { SandboxProject } from './project.js';
import { highestRight, RIGHT_NAMES, rightsOf, type FormRights, type Rights } from './rights.js';
import { ApiFailure } from '../../wire/api-failure.js';

/** Returns the rights for every instrument, including those that are not set explicitly. */
export function formRightsOf(
  project: SandboxProject,
  holder: { readonly rights: Rights; readonly formRights?: FormRights | undefined },
): FormRights {
  const caller = new Caller(project, { ...BLANK_USER, ...holder });
  const byInstrument = (right: (instrument: string) => number): Record<string, number> =>
    Object.fromEntries(project.study.instruments.map(({ name }) => [name, right(name)]));
  return {
    forms: byInstrument((name) => caller.formRight(name)),
    formsExport: byInstrument((name) => caller.exportRight(name)),
  };
}

/**
 * Returns the rights of an imported row: the given ones, and the previous values for the others. A blank one is 0.
 *
 * @throws {ApiFailure} 400 naming the right
 * @see docs/protocol/redcap.md 20 (inferred)
 */
export function sentRights(row: DataRow, before: Rights): Rights {
  const sent = RIGHT_NAMES.filter((name) => row.has(name));
  for (const name of sent) {
    if (!/^\d?$/.test(row(name)) || Number(row(name)) > highestRight(name))
      throw new ApiFailure(400, `The value of the right '${name}' is not valid.`);
  }
  return rightsOf({ ...before, ...Object.fromEntries(sent.map((name) => [name, Number(row(name))])) });
}

/**
 * Returns the rights by instrument of an imported row, merged with the previous ones. A blank cell is 0 for every
 * instrument.
 *
 * @throws {ApiFailure} 400 naming the column
 * @see docs/protocol/redcap.md 20 (client for `forms_export`, inferred for `forms`)
 */
export function sentFormRights(
  project: SandboxProject,
  row: DataRow,
  before: FormRights | undefined,
): FormRights {
  const none = Object.fromEntries(project.study.instruments.map(({ name }) => [name, 0]));
  const rights = (column: string): Record<string, number> =>
    row.has(column) && row(column) === '' ? none : readRights(row, column);
  return {
    forms: { ...before?.forms, ...rights('forms') },
    formsExport: { ...before?.formsExport, ...rights('forms_export') },
  };
}

/**
 * Checks that every instrument of every row exists, before any row is stored.
 *
 * @param holderOf names whose rights a row contains, as REDCap words it
 * @param others further faults, reported after the instruments
 * @throws {ApiFailure} 400 with a line for each instrument that does not exist
 * @see docs/protocol/redcap.md 20 (client)
 */
export function refuseUnknownForms(
  project: SandboxProject,
  rows: readonly DataRow[],
  holderOf: (row: DataRow) => string,
  others: readonly string[] = [],
): void {
  const faults = rows.flatMap((row) =>
    ['forms', 'forms_export'].flatMap((column) =>
      pairsOf(row, column)
        .filter(([instrument]) => project.instrument(instrument) === undefined)
        .map(
          ([instrument]) =>
            `The form named "${instrument}" is incorrect for the ${holderOf(row)} The form does not exist in this project.`,
        ),
    ),
  );
  if (faults.length + others.length > 0) throw new ApiFailure(400, [...faults, ...others].join('\n'));
}

/** Returns the pairs of a cell such as `form_1:1,form_2:0`. */
function pairsOf(row: DataRow, column: string): [instrument: string, right: string][] {
  return row(column)
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => pair.trim().split(':'))
    .map(([instrument = '', right = '']) => [instrument, right]);
}

function readRights(row: DataRow, column: string): Record<string, number> {
  const pairs = pairsOf(row, column);
  if (pairs.some(([, right]) => !/^\d{0,3}$/.test(right)))
    throw new ApiFailure(400, `The value of '${column}' is not valid.`);
  return Object.fromEntries(pairs.map(([instrument, right]) => [instrument, Number(right)]));
}
