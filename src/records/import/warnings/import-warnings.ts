import { say } from '../../../domain/errors/sentences.js';
import type { ProjectStructure } from '../../../domain/dictionary/project-structure.js';
import type { CallOptions, CrfClient } from '../../../gateways/redcap/crf-client.js';
import { isRefusal } from '../../../gateways/redcap/call-errors.js';
import type { LogicScope } from '../../../domain/logic/evaluator.js';
import { loadProjectStructure, type StructureSource } from '../../load-project-structure.js';
import { hasValue } from '../../rules/check-record.js';
import { compileForms, type FieldCheck, type FormChecks } from '../../rules/form-checks.js';
import { HashedIdsError } from '../../rules/hashed-ids.js';
import { EventLoopShare } from '../event-loop-share.js';
import type { ImportRequest } from '../import-request.js';
import { changesOf, Lookalikes, newRecord, type ChangeList } from '../import-changes.js';
import type { RowPlace } from '../input-item.js';
import type { ImportWarning } from './import-warning.js';
import { jsonOfRows, rowsToSend } from '../rows-to-send.js';
import { mergedRecords, type MergedRecord, type TouchedRow } from './merged-record.js';
import { sentByRecord, type PlacedRow } from './sent-rows.js';
import { StoredWarnings } from './stored-warnings.js';
import type { WarningList } from './warning-list.js';

/** The operations that import warnings need. */
export interface WarningSource extends StructureSource, Pick<CrfClient, 'streamRecords'> {}

export interface ImportWarningsOptions {
  readonly call: CallOptions;
  /** Receives the warnings. */
  readonly list: WarningList;
  /** Receives what the import would change, if that was asked for. */
  readonly changes?: ChangeList | undefined;
  /** Decides when other work may run. */
  readonly share?: EventLoopShare | undefined;
}

/**
 * Checks the rows of a dry run against the branching logic and the required fields of the project, after merging them
 * with the stored values of their records, warns of other arms, and reports what they would change. Memory: the rows of
 * one call, and one stored record. Conditions that depend on a calculated field or on unsupported logic are not decided,
 * because REDCap recalculates when it stores.
 */
export class ImportWarnings {
  readonly #share: EventLoopShare;
  #isOff = false;
  #lookalikes: Lookalikes | undefined;
  #project: CheckedProject | undefined;

  constructor(
    private readonly source: WarningSource,
    private readonly request: ImportRequest,
    private readonly options: ImportWarningsOptions,
  ) {
    this.#share = options.share ?? new EventLoopShare();
  }

  /**
   * Checks the rows of one call to REDCap. If a record has rows in several calls, each call is compared separately with
   * what is stored.
   *
   * @param json the rows as they would be sent
   * @param places where they stand in the input
   * @returns with `changes`: what would be sent of them
   * @throws {CrfError} errors of reading the records, except a refusal by REDCap or hashed ids, after which there are no
   *   more warnings
   */
  async check(json: Buffer, places: readonly RowPlace[]): Promise<Buffer | undefined> {
    if (this.#isOff) return undefined;
    try {
      return await this.#compare(json, places);
    } catch (error) {
      // The token may not export these records as they are, so there are no further warnings. Changes were asked for.
      const isUnreadable = isRefusal(error) || error instanceof HashedIdsError;
      if (!isUnreadable || this.options.changes !== undefined) throw error;
      this.#isOff = true;
      return undefined;
    }
  }

  async #compare(json: Buffer, places: readonly RowPlace[]): Promise<Buffer | undefined> {
    const { structure, forms, beside } = (this.#project ??= await this.#load());
    const { changes } = this.options;
    const { overwriteBehavior, forceAutoNumber } = this.request;
    const sent = await sentByRecord(json, places, structure, this.request, this.#share);
    const left = new Map<string, readonly PlacedRow[]>();
    const exported = forceAutoNumber ? undefined : this.source.streamRecords(this.#selection(sent.keys()));
    const how = { doesErase: overwriteBehavior === 'overwrite', option: 'changes' };
    for await (const { merged, stored, rows } of mergedRecords(structure, exported, sent, how)) {
      const { id } = merged.view;
      beside.checkArms(id, stored, rows);
      beside.checkNumbers(merged);
      const [first] = rows;
      if (changes !== undefined && first !== undefined) {
        const found = merged.sample === undefined ? NOTHING : changesOf(merged, structure);
        if (merged.sample === undefined) await this.#addNew(id, first.place, structure, changes);
        else changes.addStored(id, found);
        left.set(id, rowsToSend(merged, found));
      }
      await this.#checkRecord(merged, forms, structure);
    }
    return changes && jsonOfRows(left, structure);
  }

  async #addNew(
    id: string,
    place: RowPlace,
    { dictionary }: ProjectStructure,
    changes: ChangeList,
  ): Promise<void> {
    const idField = dictionary.recordIdField?.name ?? '';
    this.#lookalikes ??= await Lookalikes.load(this.source, idField, this.options.call);
    changes.addNew(newRecord(id, idField, place), this.#lookalikes.of(id));
  }

  #selection(ids: Iterable<string>) {
    return {
      records: [...ids],
      exportBlankForGrayFormStatus: true,
      ...(this.options.changes !== undefined && { exportDataAccessGroups: true }),
      ...this.options.call,
    };
  }

  /** Loads the forms that have fields with branching logic or required fields. */
  async #load(): Promise<CheckedProject> {
    const structure = await loadProjectStructure(this.source, this.options.call);
    const idField = structure.dictionary.recordIdField?.name;
    const compiled = await compileForms(structure, () => new Date());
    const forms = compiled
      .map((form) => ({
        ...form,
        fields: form.fields.filter(
          ({ field, isAlwaysShown, isShown }) =>
            field.name !== idField &&
            !COMPUTED.has(field.type) &&
            (isShown !== undefined || (field.isRequired && isAlwaysShown)),
        ),
      }))
      .filter(({ fields }) => fields.length > 0);
    return { structure, forms, beside: new StoredWarnings(structure, this.options.list) };
  }

  async #checkRecord(
    { view, touched }: MergedRecord,
    forms: readonly FormChecks[],
    structure: ProjectStructure,
  ): Promise<void> {
    for (const change of touched) {
      const { row, columns } = change;
      const present = new Set(view.instrumentsOn(row));
      const begun = new Set([...columns.keys()].map((name) => begunBy(name, row, structure)));
      const scope = withoutCalculations(view.scopeOf(row), structure);
      for (const { instrument, fields } of forms) {
        if (!present.has(instrument) || !begun.has(instrument)) continue;
        const form = { record: view.id, event: row.event, instrument, instance: row.instance || null };
        const touchedForm = { ...change, scope, form };
        for (const check of fields) this.#checkField(check, touchedForm);
        if (this.#share.hasSpent(fields.length * WORK_PER_FIELD)) await this.#share.pause();
      }
    }
  }

  #checkField(check: FieldCheck, { row, place, columns, scope, form }: TouchedForm): void {
    const { field, isShown } = check;
    const shown = isShown === undefined ? true : isShown.isTrue(scope);
    if (shown === false) {
      for (const { name, choice } of check.columns) {
        const given = columns.get(name);
        const value = row.values[name];
        if (given !== undefined && (choice === undefined ? value !== '' : value === '1'))
          this.options.list.add({ ...form, field: name, rule: 'hidden_value', ...HIDDEN, ...given });
      }
    }
    if (shown === true && field.isRequired && !hasValue(check, row))
      this.options.list.add({
        ...form,
        field: field.name,
        rule: 'required_empty',
        ...EMPTY,
        ...place,
      });
  }
}

/** What of a project its rows are checked against. */
interface CheckedProject {
  readonly structure: ProjectStructure;
  readonly forms: readonly FormChecks[];
  readonly beside: StoredWarnings;
}

/** One form of a row that an import touches. */
interface TouchedForm extends TouchedRow {
  readonly scope: LogicScope;
  readonly form: Pick<ImportWarning, 'record' | 'event' | 'instrument' | 'instance'>;
}

/**
 * @returns the instrument that a value begins, if any. For forms that have not been begun, an export contains status 0
 *   and unchecked boxes.
 */
function begunBy(
  name: string,
  { values }: MergedRecord['touched'][number]['row'],
  { dictionary }: ProjectStructure,
): string | undefined {
  const column = dictionary.column(name);
  if (column === undefined) return undefined;
  const isUnset = column.choice !== undefined || column.field === undefined;
  const isNothing = values[name] === '' || (values[name] === '0' && isUnset);
  return isNothing ? undefined : column.instrument;
}

/** Treats calculated fields as unknown: their stored values are those from before the import. */
function withoutCalculations(scope: LogicScope, { dictionary }: ProjectStructure): LogicScope {
  return {
    value: (reference) =>
      dictionary.field(reference.field.toLowerCase())?.type === 'calc' ? undefined : scope.value(reference),
    smart: (name) => scope.smart(name),
  };
}

/** Field types to which an import cannot assign a value. */
const COMPUTED: ReadonlySet<string> = new Set(['calc', 'file', 'descriptive']);
const NOTHING = { changes: [], unreadable: new Set<string>() };
const HIDDEN = say('hidden');
const EMPTY = say('required_empty');
/** The work of checking a field, in bytes processed by an import. */
const WORK_PER_FIELD = 64;
