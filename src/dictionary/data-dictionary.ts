import { compileByteRule, NO_BYTES, type ByteRule } from './byte-rules.js';
import { choicesOf, type Choice } from './choices.js';
import { checkboxColumnName, formStatusName, type ExportColumn } from './export-column.js';
import type { Field } from './field.js';
import { compileValueRule, type ValueRule } from './value-rules.js';

/** The data dictionary of a project, as a model: what fields there are, what they become in an export, what they may hold. */
export class DataDictionary {
  readonly fields: readonly Field[];
  /** Unique names, in project order. */
  readonly instruments: readonly string[];
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #columns: ReadonlyMap<string, ExportColumn>;
  readonly #choices = new Map<string, readonly Choice[]>();
  readonly #rules = new Map<string, ValueRule>();

  /** @param fields the dictionary in its own order, the id field first */
  constructor(fields: readonly Field[]) {
    this.fields = fields;
    const byInstrument = groupByInstrument(fields);
    this.instruments = [...byInstrument.keys()];
    // Maps, not objects: a field may be named `constructor`.
    this.#fields = new Map(fields.map((field) => [field.name, field]));
    this.#columns = this.#columnsInOrder(byInstrument);
  }

  /** The field whose value is the record id; undefined in an empty dictionary. */
  get recordIdField(): Field | undefined {
    return this.fields[0];
  }

  field(name: string): Field | undefined {
    return this.#fields.get(name);
  }

  /** The choices of a coded field, read once. */
  choices(field: Field): readonly Choice[] {
    const known = this.#choices.get(field.name);
    if (known !== undefined) return known;
    const choices = choicesOf(field);
    this.#choices.set(field.name, choices);
    return choices;
  }

  /**
   * Every column of an export, in dictionary order: a checkbox field has one a choice, the form status follows the last
   * field of its instrument, descriptive fields have none.
   *
   * @see docs/protocol/redcap.md 4.2 (wire)
   */
  exportColumns(): readonly ExportColumn[] {
    return [...this.#columns.values()];
  }

  column(name: string): ExportColumn | undefined {
    return this.#columns.get(name);
  }

  /**
   * Holds a value against what its column may hold. A blank is always allowed.
   *
   * @returns the rule that it breaks, as the end of a sentence that never holds the value; undefined when it is valid, or
   * when nothing is known of the column
   */
  validateValue(columnName: string, value: string): string | undefined {
    if (value === '') return undefined;
    return this.#ruleOf(columnName)?.validate(value);
  }

  /**
   * Holds a value against the soft limits of its field. REDCap's API stores what lies outside them.
   *
   * @returns `must be from 18 to 99`, or the like; undefined when it lies within
   */
  validateRange(columnName: string, value: string): string | undefined {
    if (value === '') return undefined;
    return this.#ruleOf(columnName)?.validateRange(value);
  }

  /** @returns the choice whose label stands where its code should; undefined when it is none's */
  suggestChoice(columnName: string, value: string): Choice | undefined {
    return this.#ruleOf(columnName)?.suggest?.(value);
  }

  /** What accepts the bytes of a value at once, where that is possible: neither `validateValue` nor `validateRange` refuses it. */
  byteRule(columnName: string): ByteRule {
    const column = this.#columns.get(columnName);
    if (column === undefined) return NO_BYTES;
    return compileByteRule(column, column.field === undefined ? [] : this.choices(column.field));
  }

  #ruleOf(columnName: string): ValueRule | undefined {
    const known = this.#rules.get(columnName);
    if (known !== undefined) return known;
    const column = this.#columns.get(columnName);
    if (column === undefined) return undefined;
    const rule = compileValueRule(column, column.field === undefined ? [] : this.choices(column.field));
    this.#rules.set(columnName, rule);
    return rule;
  }

  #columnsInOrder(byInstrument: ReadonlyMap<string, readonly Field[]>): ReadonlyMap<string, ExportColumn> {
    const columns = new Map<string, ExportColumn>();
    for (const [instrument, fields] of byInstrument) {
      const own = fields.flatMap((field) => this.#columnsOf(field));
      for (const column of own) columns.set(column.name, column);
      const name = formStatusName(instrument);
      columns.set(name, { name, instrument, field: undefined, choice: undefined });
    }
    return columns;
  }

  #columnsOf(field: Field): ExportColumn[] {
    const { name, instrument, type } = field;
    if (type === 'descriptive') return [];
    if (type !== 'checkbox') return [{ name, instrument, field, choice: undefined }];
    return this.choices(field).map((choice) => ({
      name: checkboxColumnName(name, choice.code),
      instrument,
      field,
      choice,
    }));
  }
}

/** In one pass: there are dictionaries of 35,000 fields. */
function groupByInstrument(fields: readonly Field[]): ReadonlyMap<string, readonly Field[]> {
  const groups = new Map<string, Field[]>();
  for (const field of fields) {
    const group = groups.get(field.instrument);
    if (group === undefined) groups.set(field.instrument, [field]);
    else group.push(field);
  }
  return groups;
}
