import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { unknownName } from '../../domain/identifiers/nearest-name.js';
import type { CrfClient, InstrumentRowsOptions, TypedRow } from '../../gateways/redcap/crf-client.js';
import { loadProjectStructure, type StructureSource } from '../load-project-structure.js';
import { InstrumentTable } from './instrument-table.js';
import { RowTyper } from './row-typer.js';

/**
 * Yields the rows of one instrument, with typed values.
 *
 * @throws {InvalidRequestError} the project has no such instrument, or the instrument is not at any of the events
 * @throws {CrfError} errors of `CrfClient.streamRecords`
 */
export async function* instrumentRows(
  source: StructureSource & Pick<CrfClient, 'streamRecords'>,
  instrument: string,
  options: InstrumentRowsOptions = {},
): AsyncGenerator<TypedRow, void, undefined> {
  const { labels, missing, onMisfit, events, ...selection } = options;
  const { signal, caller } = options;
  const structure = await loadProjectStructure(source, { signal, caller });
  const table = tableOf(structure, instrument);
  const typer = new RowTyper(structure, { labels, missing });
  const rows = source.streamRecords({ ...selection, ...table.selection(events) });
  for await (const row of table.rowsOf(rows)) {
    const report = onMisfit && ((_: unknown, column: string): void => onMisfit(row, column));
    yield typer.type(row, report ?? IGNORE) as TypedRow; // text remains text or becomes a typed value
  }
}

const IGNORE = (): void => undefined;

/** @throws {InvalidRequestError} the project has no such instrument */
export function tableOf(structure: ProjectStructure, instrument: string): InstrumentTable {
  const { instruments } = structure.dictionary;
  if (instruments.includes(instrument)) return new InstrumentTable(structure, instrument);
  throw new InvalidRequestError([unknownName('instrument', 'instrument', instrument, instruments)]);
}
