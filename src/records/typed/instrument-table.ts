import { formStatusName } from '../../domain/dictionary/export-column.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { refusal } from '../../domain/errors/refusal.js';
import type { RecordSelection } from '../../gateways/redcap/crf-client.js';
import { cellOf, type RecordRow } from '../../gateways/redcap/record-row.js';

/** Presents one instrument as a table: selects its rows and columns from an export. */
export class InstrumentTable {
  /** In order: record id, event, repeat instrument and instance if there are any, the fields, the form status. */
  readonly columns: readonly string[];
  /** Columns of checkbox fields for missing data codes, which not every version of REDCap sends. */
  readonly #missing: readonly string[];

  constructor(
    private readonly structure: ProjectStructure,
    private readonly instrument: string,
  ) {
    const { dictionary } = structure;
    const id = dictionary.recordIdField?.name ?? '';
    const own = dictionary.exportColumns().filter((column) => column.instrument === instrument);
    this.columns = [
      id,
      ...(structure.isLongitudinal ? ['redcap_event_name'] : []),
      ...(structure.repeats(instrument) ? ['redcap_repeat_instrument', 'redcap_repeat_instance'] : []),
      ...own.map(({ name }) => name).filter((name) => name !== id && name !== formStatusName(instrument)),
      formStatusName(instrument),
    ];
    this.#missing = [...structure.missingDataColumns()]
      .filter(([, field]) => field.instrument === instrument)
      .map(([name]) => name);
  }

  /** @throws {InvalidRequestError} the instrument is not at any of the selected events */
  selection(events: readonly string[] | undefined): Pick<RecordSelection, 'fields' | 'forms' | 'events'> {
    const [id = ''] = this.columns;
    const asked = { fields: [id], forms: [this.instrument] };
    if (!this.structure.isLongitudinal) return { ...asked, events };
    const own = this.structure.eventsOf(this.instrument);
    const chosen = events === undefined ? own : own.filter((event) => events.includes(event));
    if (chosen.length > 0) return { ...asked, events: chosen };
    throw refusal(
      events === undefined ? 'instrument' : 'events',
      events === undefined ? 'belongs to no event' : 'must include one that has the instrument',
    );
  }

  /** Yields the rows of the instrument, with only its columns, and those for missing data codes if REDCap sent them. */
  async *rowsOf(rows: AsyncIterable<RecordRow>): AsyncGenerator<RecordRow, void, undefined> {
    for await (const row of rows) {
      if (!isRowOf(this.structure, this.instrument, row)) continue;
      const own: Record<string, string | number> = {};
      for (const name of this.columns) own[name] = cellOf(row, name) ?? '';
      for (const name of this.#missing) if (row[name] !== undefined) own[name] = row[name];
      yield own;
    }
  }
}

/** Whether a row of an export is one of an instrument: it stands at the event, and repeats there by itself or not. */
export function isRowOf(structure: ProjectStructure, instrument: string, row: RecordRow): boolean {
  const event = `${row['redcap_event_name'] ?? ''}`;
  const repeating = row['redcap_repeat_instrument'] ?? '';
  if (!structure.stands(instrument, event)) return false;
  return structure.repeatsInstrument(event, instrument) ? repeating === instrument : repeating === '';
}
