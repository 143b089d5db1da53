import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import { NotInPolicyError } from '../domain/errors/access-errors.js';
import { InvalidRequestError } from '../domain/errors/caller-errors.js';
import { sentenceOf } from '../domain/errors/field-problem.js';
import { say } from '../domain/errors/sentences.js';
import { UpstreamRejectedError } from '../domain/errors/upstream-errors.js';
import { notImportable } from '../domain/identifiers/nearest-name.js';
import type {
  CallOptions,
  CrfCalls,
  ImportDataOptions,
  ImportResult,
  ImportText,
} from '../gateways/redcap/crf-client.js';
import { columnAccess } from './column-access.js';
import type { ProjectView } from './project-view.js';
import type { RecordExports } from './record-exports.js';
import { EVENT, GROUP, REPEAT_INSTANCE, REPEAT_INSTRUMENT } from './view-rows.js';
import { refuseOptions } from './visible-selection.js';

type Row = Readonly<Record<string, string | number | boolean | null>>;

/** The imports of a view: into its records and writable fields, and into new records as its policy says. */
export class RecordWrites {
  constructor(
    private readonly calls: CrfCalls,
    private readonly view: ProjectView,
    private readonly exports: RecordExports,
  ) {}

  /** Imports flat JSON, as far as `check` admits it. */
  async import(data: ImportText, options: ImportDataOptions): Promise<ImportResult> {
    return this.calls.importData(await this.check(data, options), options);
  }

  /**
   * Decides whether flat JSON may be imported, and stores nothing: the one rule of imports and their dry runs.
   *
   * @returns the text to send: a row without an event is of the first one of the view, and a new record of its group
   * @throws {UpstreamRejectedError} a column or an event is not one of the view
   * @throws {NotInPolicyError} a column may be read only, or a record is not one of the view and may not be created
   */
  async check(data: ImportText, options: ImportDataOptions): Promise<ImportText> {
    const { view } = this;
    const { signal, caller, traceparent, forceAutoNumber = false } = options;
    refuseOptions(
      [
        ...(options.format === 'csv' ? ['format'] : []),
        ...(options.type === 'eav' ? ['type'] : []),
        ...(options.backgroundProcess ? ['backgroundProcess'] : []),
      ],
      'cannot be used under a policy, which imports flat JSON at once',
    );
    if (view.deidentify !== undefined) throw new NotInPolicyError();

    const call = { signal, caller, traceparent };
    const { whole, shown } = await this.exports.structures(call);
    const text = typeof data === 'string' ? data : await new Blob([data]).text();
    const sent = rowsIn(text);
    this.#checkColumns(whole, sent, await columnAccess(this.calls, view, call));
    // REDCap would store these at its own first event, which may be hidden. @see docs/protocol/redcap.md 5.2 (client)
    const first = view.events && whole.isLongitudinal ? shown.eventNames[0] : undefined;
    const isPlaced = first === undefined || sent.every((row) => isGiven(row[EVENT]));
    const rows = isPlaced
      ? sent
      : sent.map((row) => (isGiven(row[EVENT]) ? row : { ...row, [EVENT]: first }));
    this.#checkPlaces(whole, rows);

    const idName = whole.dictionary.recordIdField?.name ?? '';
    const ids = new Set(rows.map((row) => (Object.hasOwn(row, idName) ? String(row[idName]) : '')));
    const creates = await this.#creates(ids, idName, forceAutoNumber, call);
    const { rows: rule } = view;
    if (!creates || rule.kind !== 'dag') return isPlaced ? text : JSON.stringify(rows);
    return JSON.stringify(rows.map((row) => ({ ...row, [GROUP]: rule.dag })));
  }

  #checkColumns(
    structure: ProjectStructure,
    rows: readonly Row[],
    accessTo: Awaited<ReturnType<typeof columnAccess>>,
  ): void {
    const { dictionary } = structure;
    const ofCodes = structure.missingDataColumns();
    const unknown = new Set<string>();
    const readOnly = new Set<string>();
    for (const name of new Set(rows.flatMap((row) => Object.keys(row)))) {
      if (name === dictionary.recordIdField?.name || PLACE.has(name)) continue;
      if (name === GROUP) {
        const { rows: rule } = this.view;
        const isOwn = rule.kind === 'dag' && rows.every((row) => (row[GROUP] ?? rule.dag) === rule.dag);
        if (!isOwn) readOnly.add(name);
        continue;
      }
      const field = ofCodes.get(name);
      const column = field ? { name, field, instrument: field.instrument } : dictionary.column(name);
      const access = column && accessTo(column);
      if (access === undefined) unknown.add(name);
      else if (access === 'read') readOnly.add(name);
    }
    if (unknown.size > 0) {
      const errors = [...unknown].map(notImportable);
      throw new UpstreamRejectedError(sentenceOf(errors, 'A parameter is not valid.'), { errors });
    }
    const errors = [...readOnly].map((field) => ({ field, ...say('read_only') }));
    if (errors.length > 0) throw new NotInPolicyError({ errors });
  }

  /**
   * Refuses hidden events and repeating instruments as REDCap refuses those that do not exist. An import that is checked
   * by the data dictionary of the view has no such rows.
   */
  #checkPlaces({ isLongitudinal }: ProjectStructure, rows: readonly Row[]): void {
    const { events, forms } = this.view;
    const of = (name: string) => rows.map((row) => String(row[name] ?? ''));
    const errors = [
      ...(events !== undefined && isLongitudinal && of(EVENT).some((event) => !events.has(event))
        ? [{ field: EVENT, message: 'has values that are no events of this project' }]
        : []),
      ...(of(REPEAT_INSTRUMENT).some((form) => form !== '' && !forms.has(form))
        ? [{ field: REPEAT_INSTRUMENT, message: 'has values that are no instruments of this project' }]
        : []),
    ];
    if (errors.length > 0)
      throw new UpstreamRejectedError(sentenceOf(errors, 'A parameter is not valid.'), { errors });
  }

  /**
   * Whether an import creates records. All that it must not create are refused with the same words, whether they exist
   * outside of the view or not.
   */
  async #creates(
    ids: ReadonlySet<string>,
    idName: string,
    isNumbered: boolean,
    call: CallOptions,
  ): Promise<boolean> {
    const { create, rows } = this.view;
    // A new record is nobody's own.
    const mayCreate = rows.kind === 'all' || rows.kind === 'dag';
    if (isNumbered) {
      if (create.kind !== 'auto' || !mayCreate) throw new NotInPolicyError();
      return true;
    }
    if (ids.has('')) throw new NotInPolicyError(); // which record it is for, cannot be known
    const sent = [...ids];
    if (sent.length === 0) return false;
    const known = await this.exports.known(sent, call);
    const others = sent.filter((id) => !known.has(id));
    if (others.length === 0) return false;
    const isOfPrefix = create.kind === 'prefix' && others.every((id) => id.startsWith(create.prefix));
    if (!isOfPrefix || !mayCreate) throw new NotInPolicyError();
    const taken = await this.calls.exportRecords({ ...call, records: others, fields: [idName] });
    if (taken.length > 0) throw new NotInPolicyError();
    return true;
  }
}

function isGiven(value: Row[string] | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}

const PLACE: ReadonlySet<string> = new Set([EVENT, REPEAT_INSTRUMENT, REPEAT_INSTANCE]);

function rowsIn(text: string): readonly Row[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined; // the message of a SyntaxError quotes the text
  }
  const isCell = (cell: unknown): boolean => typeof cell !== 'object' || cell === null;
  const isRow = (row: unknown): boolean =>
    typeof row === 'object' && row !== null && !Array.isArray(row) && Object.values(row).every(isCell);
  if (!Array.isArray(value) || !value.every(isRow))
    throw new InvalidRequestError([{ field: 'data', message: 'must be a JSON array of rows' }]);
  return value as Row[];
}
