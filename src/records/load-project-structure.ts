import { parseChoices } from '../domain/dictionary/choices.js';
import { DataDictionary } from '../domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../domain/dictionary/project-structure.js';
import type { CallOptions, CrfClient, FieldSource, InfoSource } from '../gateways/redcap/crf-client.js';

/** The operations that provide the structure of a project. */
export interface StructureSource extends FieldSource, InfoSource {
  readonly events: Pick<CrfClient['events'], 'list'>;
  readonly mappings: Pick<CrfClient['mappings'], 'list'>;
  readonly repeating: Pick<CrfClient['repeating'], 'list'>;
}

/**
 * Loads the structure of a project: dictionary, events, mappings, repeats, missing data codes. The client caches the
 * answers.
 *
 * @throws {CrfError} errors of the client's operations
 */
export async function loadProjectStructure(
  source: StructureSource,
  call: CallOptions = {},
): Promise<ProjectStructure> {
  const [fields, info] = await Promise.all([source.fields.list(call), source.project.getInfo(call)]);
  const [events, mappings, repeating] = await Promise.all([
    info.isLongitudinal ? source.events.list(call) : [],
    info.isLongitudinal ? source.mappings.list(call) : [],
    info.hasRepeatingInstrumentsOrEvents ? source.repeating.list(call) : [],
  ]);
  return new ProjectStructure({
    projectId: info.id,
    dictionary: DataDictionary.of(fields),
    events,
    mappings,
    repeating,
    missingDataCodes: parseChoices(info.missingDataCodes).map(({ code }) => code),
  });
}
