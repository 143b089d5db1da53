import { InvalidRequestError } from '../../../errors/caller-errors.js';
import type { SandboxProject } from '../project.js';
import { ApiFailure } from '../wire/api-failure.js';
import { applyRows } from './apply-rows.js';
import { placeFlatRows } from './import-rows.js';
import { faultsOf } from './import-validation.js';

/**
 * Puts the rows of a study into an empty project, as an import would; the moment of change is the project's creation.
 * Files, which an import passes over, are kept, and so are calculated values where the study brings any: what was stored
 * stands, even where today's inputs would give another.
 *
 * @throws {InvalidRequestError} the rows do not fit the design; it names rows and columns, never values
 */
export function loadRows(project: SandboxProject, rows: readonly Readonly<Record<string, string>>[]): void {
  const placed = readable(() =>
    placeFlatRows(
      project,
      rows.map((row) => new Map(Object.entries(row))),
    ),
  );
  const problems = placed.flatMap((row, index) =>
    faultsOf(project, row, 'YMD').map(({ field }) => ({
      field: `records row ${index + 1}, ${field}`,
      message: 'does not fit the data dictionary',
    })),
  );
  if (problems.length > 0) throw new InvalidRequestError(problems.slice(0, 100));

  const calculated = new Set(project.calculations.map(({ field }) => field.name));
  const keepsCalculated = rows.some((row) => Object.keys(row).some((name) => calculated.has(name)));
  applyRows(project, placed, { isOverwrite: false, dateOrder: 'YMD', keepsFiles: true, keepsCalculated });
  for (const id of project.records.ids) {
    const record = project.records.get(id);
    if (record !== undefined) record.changedAt = project.study.project.creationTime;
  }
}

/** What the API would refuse as a whole is a mistake in the files here: columns or events that do not exist. */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    throw new InvalidRequestError([
      {
        field: 'records',
        message: 'must have the columns and events of the data dictionary, and a record id in every row',
      },
    ]);
  }
}
