import { withoutTags } from '../../domain/dictionary/without-tags.js';
import type { CallOptions, CrfCalls } from '../../gateways/redcap/crf-client.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { notInProject, type StudyOptions } from './study-options.js';

/** The names of a project with their labels, for the choices of a filter. */
export interface ListNames {
  readonly forms: ReadonlyMap<string, string>;
  readonly events: ReadonlyMap<string, string>;
  readonly sites: ReadonlyMap<string, string>;
  readonly arms: readonly number[];
  /** What the schedule names and the project does not have. */
  readonly notPlanned: readonly string[];
  readonly hasSchedule: boolean;
}

/** Reads the names by which a list can be filtered, with their labels. @throws {CrfError} errors of the source */
export async function readListNames(
  source: CrfCalls,
  { schedule }: Pick<StudyOptions, 'schedule'>,
  call: CallOptions,
): Promise<ListNames> {
  const [structure, instruments, groups] = await Promise.all([
    loadProjectStructure(source, call),
    source.instruments.export(call),
    // Without the right to list groups, a list names them as the records do.
    source.dags.export(call).catch(() => []),
  ]);
  return {
    forms: new Map(instruments.map(({ name, label }) => [name, withoutTags(label)])),
    events: new Map(structure.events.map(({ uniqueName, label }) => [uniqueName, withoutTags(label)])),
    sites: new Map(groups.map(({ uniqueName, name }) => [uniqueName, name])),
    arms: [...new Set(structure.events.map(({ armNumber }) => armNumber))],
    // Which visits are due does not depend on when they took place.
    notPlanned: notInProject(structure, { schedule: schedule && { ...schedule, visitDate: undefined } }),
    hasSchedule: schedule !== undefined,
  };
}
