import { only, type OrUndefined } from '../../domain/identifiers/check-options.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { ServerTime } from '../../domain/dictionary/server-time.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import type { CallOptions, CrfClient, RecordRow, TypedForm } from '../../gateways/redcap/crf-client.js';
import { CHOICE } from '../../gateways/redcap/record-export-options.js';
import type { ExportRequest, RecordExporter } from '../export/record-exporter.js';
import { checkedFilter, filterNotesOf } from '../filter/checked-filter.js';
import type { ExportOpener, PageRequest } from '../export/record-pager.js';
import { firstRows } from '../export/page-query.js';
import { openRowBody, type RowBodyOptions } from '../formats/row-body.js';
import type { OutputRow } from '../formats/row-bytes.js';
import type { RecordsBody } from '../formats/rows-answer.js';
import { loadProjectStructure, type StructureSource } from '../load-project-structure.js';
import type { ReaderPaceOptions } from '../streaming/reader-pace.js';
import { tableOf } from './instrument-rows.js';
import { Misfits } from './misfits.js';
import { RowTyper, type OnMisfit } from './row-typer.js';

/** The operations that a typed export needs. */
export type TypedSource = StructureSource &
  Pick<CrfClient, 'openRecords' | 'streamRecords' | 'checkFilterLogic'>;

/** Options for the values of an export. */
export interface ValueOptions extends TypedForm {
  /**
   * `raw`: text, as in REDCap; `typed`: numbers, booleans, ISO 8601 dates and times, the codes of a checkbox field as
   * one list, and null for an empty value. A value that does not fit its type stays text and is listed in `misfits`,
   * after the rows. `raw` by default.
   */
  readonly values?: 'raw' | 'typed';
}

export type TypedExportRequest = ExportRequest & OrUndefined<ValueOptions> & Pick<PageRequest, 'instrument'>;

/**
 * Opens exports whose rows are parsed: with typed values, or of one instrument. In bounded memory, at the speed of the
 * reader.
 */
export class TypedExporter {
  constructor(
    private readonly source: TypedSource,
    private readonly pace?: ReaderPaceOptions,
    private readonly time = new ServerTime(),
  ) {}

  /**
   * Opens an export with typed values, or the rows of one instrument: record id, event, repeat instance, its fields and
   * its status, but no other forms. Every record has a row at each of its events that has the instrument, even if the form
   * was never begun. JSON is `{"data":[…]}`, followed by `misfits` if a value does not fit its type. NDJSON has them in its
   * trailer.
   *
   * @throws {InvalidRequestError} an option has no meaning for typed values, the project has no such instrument, or the
   *   instrument is at no event
   * @throws {CrfError} errors of `CrfClient.streamRecords` before the first row
   */
  async open({ instrument, ...asked }: TypedExportRequest, call: CallOptions = {}): Promise<RecordsBody> {
    refuseOptions(asked);
    const structure = await loadProjectStructure(this.source, call);
    const table = instrument === undefined ? undefined : tableOf(structure, instrument);
    const request = { ...asked, ...table?.selection(asked.events) };
    const { format, trailer, spreadsheetSafe, hasEnvelope, next, onProgress, onRows } = request;
    const filterLogic = await checkedFilter(this.source, request.filterLogic, call);
    const misfits = new Misfits(structure);
    const typer = request.values === 'typed' ? new RowTyper(structure, request) : undefined;
    // Only REDCap knows which instruments are surveys, and what the token's user may see.
    let sent: readonly string[] | undefined;
    const options: RowBodyOptions = {
      format,
      columns: () => {
        const header = sent ?? table?.columns ?? exportedColumns(request, structure);
        return typer?.keysOf(header) ?? header;
      },
      hasEnvelope,
      spreadsheetSafe,
      hasTrailerLine: trailer,
      trailer: () => ({
        ...(typer !== undefined && (format !== 'json' || misfits.count > 0) && { misfits }),
        ...(format === 'json' && next !== undefined && { next }),
      }),
      onRows,
      pace: this.pace,
    };
    const { limit, batchSize } = request;
    const chosen = { ...only(request, CHOICE), ...this.time.periodOf(request) };
    const selection = { ...chosen, filterLogic, batchSize, onProgress };
    const onMisfit: OnMisfit = (row, field) => misfits.add(row, field);
    const body = await openRowBody(
      (inner) => {
        const all = this.source.streamRecords({ ...selection, ...inner });
        const rows = table === undefined ? all : table.rowsOf(all);
        // After they have been selected, so that rows of other instruments do not count.
        return typedRows(firstRows(rows, limit), typer, onMisfit, (first) => (sent = Object.keys(first)));
      },
      options,
      call,
    );
    return { ...body, ...filterNotesOf(filterLogic) };
  }

  /** Opens an export without records. Does not call REDCap. */
  openEmpty(request: TypedExportRequest): Promise<RecordsBody> {
    refuseOptions(request);
    const { format, hasEnvelope, trailer } = request;
    return openRowBody(async function* () {}, { format, columns: [], hasEnvelope, hasTrailerLine: trailer });
  }
}

async function* typedRows(
  rows: AsyncIterable<RecordRow>,
  typer: RowTyper | undefined,
  onMisfit: OnMisfit,
  onFirst: (row: RecordRow) => void,
): AsyncGenerator<OutputRow, void, undefined> {
  let isFirst = true;
  for await (const row of rows) {
    if (isFirst) onFirst(row);
    isFirst = false;
    yield typer === undefined ? row : typer.type(row, onMisfit);
  }
}

/**
 * Returns the columns of an export, for the header of a CSV without rows, which cannot tell which instruments are
 * surveys.
 *
 * @see docs/protocol/redcap.md 4.2 (wire, client)
 */
function exportedColumns(
  { fields = [], forms = [], exportDataAccessGroups, exportSurveyFields }: TypedExportRequest,
  structure: ProjectStructure,
): readonly string[] {
  const isAll = fields.length === 0 && forms.length === 0;
  const names = structure.dictionary
    .exportColumns()
    .filter(
      ({ name, field, instrument }) =>
        isAll || forms.includes(instrument) || fields.includes(field?.name ?? name) || fields.includes(name),
    )
    .filter(({ field }) => field?.type !== 'descriptive')
    .map(({ name }) => name);
  const id = structure.dictionary.recordIdField?.name;
  if (names[0] !== id) return names;
  return [
    ...names.slice(0, 1),
    ...(structure.isLongitudinal ? ['redcap_event_name'] : []),
    ...(structure.hasRepeats ? ['redcap_repeat_instrument', 'redcap_repeat_instance'] : []),
    ...(exportDataAccessGroups ? ['redcap_data_access_group'] : []),
    ...(exportSurveyFields ? ['redcap_survey_identifier'] : []),
    ...names.slice(1),
  ];
}

const NOT_WITH_TYPES = 'cannot be combined with typed rows';

/** @throws {InvalidRequestError} names each option that would change the values before they are typed. A default passes. */
function refuseOptions(request: TypedExportRequest): void {
  const { format, values, labels, missing, trailer, spreadsheetSafe } = request;
  const isTyped = values === 'typed';
  const rules: readonly (readonly [boolean, string, string])[] = [
    [trailer === true && format !== 'ndjson', 'trailer', 'is for NDJSON only'],
    [spreadsheetSafe === true && format !== 'csv', 'spreadsheetSafe', 'is for CSV only'],
    [labels === true && !isTyped, 'labels', 'is for values=typed only'],
    [labels === true && format === 'csv', 'labels', 'is not for CSV: use rawOrLabel=label'],
    [missing !== undefined && !isTyped, 'missing', 'is for values=typed only'],
    ...(['rawOrLabel', 'decimalCharacter', 'combineCheckboxOptions', 'rawOrLabelHeaders'] as const).map(
      (name) => [![undefined, false, 'raw'].includes(request[name]), name, NOT_WITH_TYPES] as const,
    ),
    [![undefined, ','].includes(request.csvDelimiter), 'csvDelimiter', NOT_WITH_TYPES],
    [request.type === 'eav', 'type', 'must be flat for typed rows'],
  ];
  const errors = rules.filter(([isBroken]) => isBroken).map(([, field, message]) => ({ field, message }));
  if (errors.length > 0) throw new InvalidRequestError(errors);
}

/** Chooses the exporter: REDCap's bytes unchanged, or rows that are parsed, with typed values or of one instrument. */
export class ValueExporter implements ExportOpener {
  constructor(
    private readonly raw: RecordExporter,
    private readonly typed: TypedExporter,
  ) {}

  open(request: TypedExportRequest, call?: CallOptions): Promise<RecordsBody> {
    const { values, labels, missing, instrument, ...plain } = request;
    const isRaw = values !== 'typed' && (labels ?? missing ?? instrument) === undefined;
    return isRaw ? this.raw.open(plain, call) : this.typed.open(request, call);
  }

  openEmpty(request: TypedExportRequest): Promise<RecordsBody> {
    const { values, ...plain } = request;
    return values === 'typed' ? this.typed.openEmpty(request) : this.raw.openEmpty(plain);
  }
}
