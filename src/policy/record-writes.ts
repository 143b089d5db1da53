import type { ProjectStructure } from '../dictionary/project-structure.js';
import type { ExportColumn } from '../dictionary/export-column.js';
import { NotInPolicyError } from '../errors/access-errors.js';
import { InvalidRequestError } from '../errors/caller-errors.js';
import { sentenceOf } from '../errors/field-problem.js';
import { UpstreamRejectedError } from '../errors/upstream-errors.js';
import type {
  CallOptions,
  CrfCalls,
  ImportDataOptions,
  ImportResult,
} from '../gateways/redcap/crf-client.js';
import { loadProjectStructure } from '../records/load-project-structure.js';
import type { Access, ProjectView } from './project-view.js';
import type { RecordExports } from './record-exports.js';
import { GROUP } from './view-rows.js';
import { refuseOptions } from './visible-selection.js';

type Row = Readonly<Record<string, string | number | boolean | null>>;

/** The imports of a view: into its records and writable fields, and into new records as its policy says. */
export class RecordWrites {
  constructor(
    private readonly calls: CrfCalls,
    private readonly view: ProjectView,
    private readonly exports: RecordExports,
  ) {}

  /**
   * Imports flat JSON.
   *
   * @throws {UpstreamRejectedError} a column or an event is not one of the view
   * @throws {NotInPolicyError} a column may be read only, or a record is not one of the view and may not be created
   */
  async import(data: string | Uint8Array | Blob, options: ImportDataOptions): Promise<ImportResult> {
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
    const structure = await loadProjectStructure(this.calls, call);
    const text = typeof data === 'string' ? data : await new Blob([data]).text();
    const rows = rowsIn(text);
    this.#checkColumns(structure, rows, await this.#uniqueField(call));
    this.#checkEvents(structure, rows);

    const idName = structure.dictionary.recordIdField?.name ?? '';
    const ids = new Set(rows.map((row) => (Object.hasOwn(row, idName) ? String(row[idName]) : '')));
    const creates = await this.#creates(ids, idName, forceAutoNumber, call);
    const { rows: rule } = view;
    if (!creates || rule.kind !== 'group') return this.calls.importData(text, options);
    const grouped = rows.map((row) => ({ ...row, [GROUP]: rule.group }));
    return this.calls.importData(JSON.stringify(grouped), options);
  }

  /**
   * Returns the field whose values REDCap keeps apart, so that its refusal would say that a hidden record has a value;
   * undefined where nothing of it is hidden.
   */
  async #uniqueField(call: CallOptions): Promise<string | undefined> {
    const { rows, events } = this.view;
    if (rows.kind === 'all' && events === undefined) return undefined;
    return (await this.calls.getProjectInfo(call)).secondaryUniqueField;
  }

  #checkColumns({ dictionary }: ProjectStructure, rows: readonly Row[], unique: string | undefined): void {
    const unknown = new Set<string>();
    const readOnly = new Set<string>();
    for (const name of new Set(rows.flatMap((row) => Object.keys(row)))) {
      if (name === dictionary.recordIdField?.name || PLACE.has(name)) continue;
      if (name === GROUP) {
        const { rows: rule } = this.view;
        const isOwn = rule.kind === 'group' && rows.every((row) => (row[GROUP] ?? rule.group) === rule.group);
        if (!isOwn) readOnly.add(name);
        continue;
      }
      const column = dictionary.column(name);
      const access = column && this.#accessTo(column);
      if (access === undefined) unknown.add(name);
      else if (access === 'read' || name === unique) readOnly.add(name);
    }
    if (unknown.size > 0) {
      const message = 'is not a field that can be imported into this project';
      // A name of another form could be a value.
      const errors = [...unknown].map((name) => ({
        field: /^[a-z]\w{0,99}$/.test(name) ? name : 'data',
        message,
      }));
      throw new UpstreamRejectedError(sentenceOf(errors, 'A parameter is not valid.'), { errors });
    }
    const errors = [...readOnly].map((field) => ({ field, message: 'may be read, but not changed' }));
    if (errors.length > 0) throw new NotInPolicyError({ errors });
  }

  /** Returns what the caller may do with a field, or with the status of a form; undefined if it is hidden. */
  #accessTo({ name, field, instrument }: ExportColumn): Access | undefined {
    const { fields, forms, deciding } = this.view;
    const ofForm = forms.get(instrument);
    const access = ofForm === undefined || field === undefined ? ofForm : fields.get(field.name);
    // Whoever changes a field that decides takes over the record of somebody else.
    return access !== undefined && deciding.has(field?.name ?? name) ? 'read' : access;
  }

  /** A row without an event is stored at the first one. @see docs/protocol/redcap.md 5.2 (client) */
  #checkEvents({ isLongitudinal }: ProjectStructure, rows: readonly Row[]): void {
    const { events } = this.view;
    if (events === undefined || !isLongitudinal) return;
    if (rows.every((row) => events.has(String(row.redcap_event_name ?? '')))) return;
    const errors = [{ field: 'redcap_event_name', message: 'has values that are no events of this project' }];
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
    const mayCreate = rows.kind === 'all' || rows.kind === 'group';
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

const PLACE: ReadonlySet<string> = new Set([
  'redcap_event_name',
  'redcap_repeat_instrument',
  'redcap_repeat_instance',
]);

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
