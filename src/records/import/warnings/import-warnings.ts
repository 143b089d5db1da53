import { isSameNumber } from '../../../domain/dictionary/spreadsheet-damage.js';
import type { ProjectStructure } from '../../../domain/dictionary/project-structure.js';
import { ANY_TEXT } from '../../../domain/dictionary/value-rules.js';
import { say } from '../../../domain/errors/sentences.js';
import type { RecordRow } from '../../../gateways/redcap/crf-client.js';
import type { LogicScope } from '../../../domain/logic/evaluator.js';
import { hasValue } from '../../rules/check-record.js';
import { compileForms, type FieldCheck, type FormChecks } from '../../rules/form-checks.js';
import { textOf } from '../../rules/record-view.js';
import type { EventLoopShare } from '../event-loop-share.js';
import type { ImportWarning } from './import-warning.js';
import type { MergedRecord, TouchedRow } from './merged-record.js';
import type { PlacedRow } from './sent-rows.js';
import type { WarningList } from './warning-list.js';

/** Warns of what shows only when the rows of a record are merged with what is stored of it. */
export class ImportWarnings {
  /** The number of the arm by event; empty if the project has only one. */
  readonly #armOf: ReadonlyMap<string, number>;
  #forms: Promise<readonly FormChecks[]> | undefined;

  constructor(
    private readonly structure: ProjectStructure,
    private readonly list: WarningList,
    private readonly share: EventLoopShare,
  ) {
    const arms = new Map(structure.events.map(({ uniqueName, arm }) => [uniqueName, arm]));
    this.#armOf = new Set(arms.values()).size > 1 ? arms : new Map();
  }

  /** Warns of the first row in each arm that a stored record is not in: REDCap would begin it without a word. */
  checkArms(record: string, stored: readonly RecordRow[], rows: readonly PlacedRow[]): void {
    const known = new Set(stored.flatMap((row) => this.#armOf.get(textOf(row, EVENT)) ?? []));
    const before = [...known].sort((one, other) => one - other);
    for (const { event, place } of rows) {
      const arm = this.#armOf.get(event);
      if (arm === undefined || known.has(arm) || before.length === 0) continue;
      known.add(arm);
      const sentence = say('other_arm', { arm, arms: before });
      const cell = { record, event, instrument: '', instance: null, field: EVENT };
      this.list.add({ ...cell, rule: 'other_arm', ...sentence, ...place });
    }
  }

  /** Warns of numbers in free text that are written in another way than the stored ones, as `0012345` and `12345`. */
  checkNumbers({ view: { id: record }, touched }: MergedRecord): void {
    const { dictionary } = this.structure;
    for (const { row, stored, columns } of touched) {
      if (stored === undefined) continue;
      for (const [field, place] of columns) {
        const [old, now] = [textOf(stored, field), textOf(row.values, field)];
        if (old === now || !isSameNumber(old, now)) continue;
        const column = dictionary.column(field);
        if (column?.field?.type !== 'text' || dictionary.valueRule(field) !== ANY_TEXT) continue;
        const cell = {
          record,
          event: row.event,
          instrument: column.instrument,
          instance: row.instance || null,
        };
        this.list.add({ ...cell, field, rule: 'spreadsheet_damage', ...say('same_number'), ...place });
      }
    }
  }

  /**
   * Warns of hidden values and empty required fields on the forms that an import touches. Conditions that depend on a
   * calculated field or on unsupported logic are not decided, because REDCap recalculates when it stores.
   */
  async checkForms({ view, touched }: MergedRecord): Promise<void> {
    const { structure } = this;
    const forms = await (this.#forms ??= formsToCheck(structure));
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
        if (this.share.hasSpent(fields.length * WORK_PER_FIELD)) await this.share.pause();
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
          this.list.add({ ...form, field: name, rule: 'hidden_value', ...HIDDEN, ...given });
      }
    }
    if (shown === true && field.isRequired && !hasValue(check, row))
      this.list.add({ ...form, field: field.name, rule: 'required_empty', ...EMPTY, ...place });
  }
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

/** Compiles the forms that have fields with branching logic or required fields. */
async function formsToCheck(structure: ProjectStructure): Promise<readonly FormChecks[]> {
  const idField = structure.dictionary.recordIdField?.name;
  const forms = await compileForms(structure, () => new Date());
  return forms
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
}

/** Field types to which an import cannot assign a value. */
const COMPUTED: ReadonlySet<string> = new Set(['calc', 'file', 'descriptive']);
const HIDDEN = say('hidden');
const EMPTY = say('required_empty');
/** The work of checking a field, in bytes processed by an import. */
const WORK_PER_FIELD = 64;
const EVENT = 'redcap_event_name';
