import { nearestName } from '../../dictionary/nearest-name.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import { InvalidRequestError } from '../../errors/caller-errors.js';
import type { CrfClient, InstrumentRowsOptions, TypedRow } from '../../gateways/redcap/crf-client.js';
import { loadProjectStructure, type StructureSource } from '../project-structure/load-project-structure.js';
import { InstrumentTable } from './instrument-table.js';
import { RowTyper } from './row-typer.js';

/**
 * The rows of one instrument, with the types of its fields.
 *
 * @throws {InvalidRequestError} the project has no such instrument, or it stands at none of the events
 * @throws {CrfError} what `CrfClient.streamRecords` throws
 */
export async function* instrumentRows(
  source: StructureSource & Pick<CrfClient, 'streamRecords'>,
  instrument: string,
  options: InstrumentRowsOptions = {},
): AsyncGenerator<TypedRow, void, undefined> {
  const { labels, missing, onMisfit, events, ...selection } = options;
  const structure = await loadProjectStructure(source, options);
  const table = tableOf(structure, instrument);
  const typer = new RowTyper(structure, { labels, missing });
  const rows = source.streamRecords({ ...selection, ...table.selection(events) });
  for await (const row of table.rowsOf(rows)) {
    const report = onMisfit && ((_: unknown, column: string): void => onMisfit(row, column));
    yield typer.type(row, report ?? NOBODY) as TypedRow; // what the typer makes of text
  }
}

const NOBODY = (): void => undefined;

/** @throws {InvalidRequestError} the project has no such instrument */
export function tableOf(structure: ProjectStructure, instrument: string): InstrumentTable {
  const { instruments } = structure.dictionary;
  if (instruments.includes(instrument)) return new InstrumentTable(structure, instrument);
  const meant = nearestName(instrument, instruments);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new InvalidRequestError([
    { field: 'instrument', message: `is not an instrument of this project${hint}` },
  ]);
}
