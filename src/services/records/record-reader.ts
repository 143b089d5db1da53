import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import type {
  CallOptions,
  CrfCalls,
  RecordRow,
  RecordSelection,
  GetRecordOptions,
  RecordDocument,
} from '../../gateways/redcap/crf-client.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import type { OutputRow } from '../../records/formats/row-bytes.js';
import { Misfits, type MisfitList } from '../../records/typed/misfits.js';
import { RowTyper } from '../../records/typed/row-typer.js';
import type { ValueOptions } from '../../records/typed/typed-exporter.js';
import { nestedDocument } from './record-document.js';
import type { RecordVersion } from './record-version.js';
import { rowsOfRecord } from './rows-of-record.js';

/** Options for reading one record. */
export interface RecordRequest extends Omit<RecordSelection, 'records'>, OrUndefined<ValueOptions> {
  /** `rows`: as in exports; `nested`: events, instruments, instances. `rows` by default. */
  readonly shape?: 'rows' | 'nested' | undefined;
}

/** One record in the requested form. */
export interface RecordAnswer {
  readonly data: readonly OutputRow[] | RecordDocument<unknown>;
  /** The version of the record, as an entity tag; only if the whole record was read, as a plain export has it. */
  readonly version?: string;
  /** Values that did not fit the type of their field; absent if there are none. */
  readonly misfits?: MisfitList;
}

/** Reads single records: their rows or a nested document, as text or with typed values. */
export class RecordReader {
  constructor(
    private readonly source: CrfCalls,
    private readonly versionOf: RecordVersion,
  ) {}

  /**
   * @throws {ProblemError} `record_not_found`: the project has no such record
   * @throws {InvalidRequestError} the options cannot be combined, or a field, instrument or event is unknown
   */
  async read(id: string, request: RecordRequest, call: CallOptions): Promise<RecordAnswer> {
    refuseOptions(request);
    const { shape, values, labels, missing, ...selection } = request;
    if (shape !== 'nested' && values !== 'typed') {
      const data = await rowsOfRecord(this.source, id, selection, call);
      const isWhole = Object.values(selection).every((option) => option === undefined);
      return { data, ...(isWhole && { version: this.versionOf(data) }) };
    }

    const structure = await loadProjectStructure(this.source, call);
    const misfits = new Misfits(structure);
    const typer = values === 'typed' ? new RowTyper(structure, { labels, missing }) : undefined;
    const convert = (row: RecordRow): OutputRow => typer?.type(row, misfits.add.bind(misfits)) ?? row;
    const idField = structure.dictionary.recordIdField?.name ?? '';
    const whole = shape === 'nested' ? { ...selection, ...nestable(selection, idField) } : selection;
    const rows = await rowsOfRecord(this.source, id, whole, call);
    const data = shape === 'nested' ? nestedDocument(structure, id, rows, convert) : rows.map(convert);
    return { data, ...(misfits.count > 0 && { misfits: misfits.toJSON() }) };
  }
}

/**
 * Returns one record as a nested document with typed values.
 *
 * @throws {ProblemError} `record_not_found`: the project has no such record
 */
export async function getRecord(
  source: CrfCalls,
  id: string,
  { labels, missing, onMisfit, signal, caller, ...selection }: GetRecordOptions,
): Promise<RecordDocument> {
  const call = { signal, caller };
  const structure = await loadProjectStructure(source, call);
  const typer = new RowTyper(structure, { labels, missing });
  const idField = structure.dictionary.recordIdField?.name ?? '';
  const rows = await rowsOfRecord(source, id, { ...selection, ...nestable(selection, idField) }, call);
  const convert = (row: RecordRow): OutputRow => typer.type(row, onMisfit ?? (() => undefined));
  return nestedDocument(structure, id, rows, convert) as RecordDocument; // text remains text or becomes a typed value
}

/**
 * Returns the options that a nested record needs. Without the record id REDCap omits event and instance, and a blank
 * status shows that a form was never begun.
 */
function nestable({ fields, forms }: Pick<RecordSelection, 'fields' | 'forms'>, idField: string) {
  const isAll = (fields?.length ?? 0) + (forms?.length ?? 0) === 0;
  return { ...(!isAll && { fields: [idField, ...(fields ?? [])] }), exportBlankForGrayFormStatus: true };
}

/** @throws {InvalidRequestError} names each option that has no meaning here */
function refuseOptions(request: RecordRequest): void {
  const { shape, values, labels, missing, exportSurveyFields } = request;
  const isTyped = values === 'typed';
  const isPlain = shape !== 'nested' && !isTyped;
  const what = shape === 'nested' ? 'a nested record' : 'typed values';
  const changing = [
    ...(['rawOrLabel', 'type'] as const).filter(
      (name) => !['raw', 'flat', undefined].includes(request[name]),
    ),
    ...(['decimalCharacter', 'combineCheckboxOptions', 'exportCheckboxLabel'] as const).filter(
      (name) => request[name] !== undefined && request[name] !== false,
    ),
    ...(shape === 'nested' && exportSurveyFields ? (['exportSurveyFields'] as const) : []),
  ];
  const errors = [
    ...(isPlain ? [] : changing.map((field) => ({ field, message: `cannot be combined with ${what}` }))),
    ...(labels === true && !isTyped ? [{ field: 'labels', message: 'is for values=typed only' }] : []),
    ...(missing !== undefined && !isTyped ? [{ field: 'missing', message: 'is for values=typed only' }] : []),
  ];
  if (errors.length > 0) throw new InvalidRequestError(errors);
}
