import type { SandboxProject } from './project.js';
import { loadRows, type LoadRowsOptions } from './records/load-rows.js';
import type { Study } from './study.js';

/**
 * Loads the content of a study into a project with its design: records, files and past log entries.
 *
 * @returns messages about what was left out, and about values that violate the current rules
 * @throws {InvalidRequestError} a row has no record ID
 */
export function fillProject(
  project: SandboxProject,
  study: Pick<Study, 'rows' | 'files' | 'log' | 'hasStoredCalculations'>,
  options: LoadRowsOptions = { calculated: study.hasStoredCalculations === true ? 'stored' : undefined },
): string[] {
  const notes = loadRows(project, study.rows, options);
  for (const { name, type, bytes, ...place } of study.files ?? []) {
    const event = project.isLongitudinal ? place.event : '';
    project.documents.put({ ...place, event }, { name, type, bytes });
  }
  for (const entry of study.log ?? []) {
    project.log.add(entry);
    const record = project.records.get(entry.record);
    if (record !== undefined) record.changedAt = entry.at;
  }
  return notes;
}
