import { choicesOf, type Choice } from './choices.js';
import { checkboxColumnName, formStatusName, groupBy, type ExportColumn } from './export-column.js';
import type { Field } from './field.js';
import { compileValueRule, type ValueRule } from './value-rules.js';

/** The data dictionary of a project: its fields, their export columns, and the values that the columns accept. */
export class DataDictionary {
  readonly fields: readonly Field[];
  /** Unique names in project order. */
  readonly instruments: readonly string[];
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #columns: ReadonlyMap<string, ExportColumn>;
  readonly #choices = new Map<string, readonly Choice[]>();
  readonly #rules = new Map<string, ValueRule>();

  /** @param fields the dictionary in its own order, with the record id field first */
  constructor(fields: readonly Field[]) {
    this.fields = fields;
    this.instruments = [...new Set(fields.map(({ instrument }) => instrument))];
    // Maps rather than objects, because a field can be named `constructor`.
    this.#fields = new Map(fields.map((field) => [field.name, field]));
    this.#columns = this.#columnsInOrder([]);
  }

  /**
   * Returns the dictionary of these fields. The one made before is returned if the fields are the same objects, as in a
   * cached answer of REDCap, because making it takes a while for a large project.
   */
  static of(fields: readonly Field[]): DataDictionary {
    const [first] = fields;
    const known = first && KNOWN.get(first);
    if (known?.fields.length === fields.length && known.fields.every((field, at) => field === fields[at]))
      return known;
    const made = new DataDictionary([...fields]);
    if (first !== undefined) KNOWN.set(first, made);
    return made;
  }

  /** The field that holds the record id; undefined in an empty dictionary. */
  get recordIdField(): Field | undefined {
    return this.fields[0];
  }

  field(name: string): Field | undefined {
    return this.#fields.get(name);
  }

  /** Returns the choices of a coded field, which are parsed only once. */
  choices(field: Field): readonly Choice[] {
    const known = this.#choices.get(field.name);
    if (known !== undefined) return known;
    const choices = choicesOf(field);
    this.#choices.set(field.name, choices);
    return choices;
  }

  /**
   * Returns all columns of an export in dictionary order. A checkbox field has one column per choice, the form status
   * follows the last field of its instrument, and descriptive fields have no column.
   *
   * @param missing the missing data codes of the project, each of which adds a column to a checkbox field, after its
   * choices. Not every version of REDCap sends these columns.
   * @see docs/protocol/redcap.md 4.2 (wire; item 10 doc)
   */
  exportColumns(missing: readonly Choice[] = []): readonly ExportColumn[] {
    return [...(missing.length === 0 ? this.#columns : this.#columnsInOrder(missing)).values()];
  }

  /**
   * Returns the columns of a field for missing data codes; none for a field that is no checkbox. A column of the
   * dictionary with the same name takes precedence.
   *
   * @see docs/protocol/redcap.md 4.2, item 10 (doc)
   */
  missingColumns(field: Field, missing: readonly Choice[]): readonly ExportColumn[] {
    if (field.type !== 'checkbox') return [];
    return toColumns(field, missing).filter(({ name }) => !this.#columns.has(name));
  }

  column(name: string): ExportColumn | undefined {
    return this.#columns.get(name);
  }

  /** Returns the rule of a column, which is compiled only once; undefined if the column is unknown. */
  valueRule(columnName: string): ValueRule | undefined {
    const known = this.#rules.get(columnName);
    if (known !== undefined) return known;
    const column = this.#columns.get(columnName);
    if (column === undefined) return undefined;
    const rule = compileValueRule(column, column.field === undefined ? [] : this.choices(column.field));
    this.#rules.set(columnName, rule);
    return rule;
  }

  /**
   * Checks a value against the rule of its column. A blank is always valid.
   *
   * @returns the broken rule, worded as the end of a sentence and without the value; undefined if the value is valid or
   *   the column is unknown
   */
  validateValue(columnName: string, value: string): string | undefined {
    if (value === '') return undefined;
    return this.valueRule(columnName)?.validate(value)?.message;
  }

  /**
   * Checks a value against the soft limits of its field. REDCap's API also stores values outside them.
   *
   * @returns the limits, such as `must be from 18 to 99`; undefined if the value is within them
   */
  validateRange(columnName: string, value: string): string | undefined {
    if (value === '') return undefined;
    return this.valueRule(columnName)?.validateRange(value)?.message;
  }

  /** @returns the choice whose label was given instead of its code; undefined if the value is not a label */
  suggestChoice(columnName: string, value: string): Choice | undefined {
    return this.valueRule(columnName)?.suggest?.(value);
  }

  #columnsInOrder(missing: readonly Choice[]): ReadonlyMap<string, ExportColumn> {
    const columns = new Map<string, ExportColumn>();
    for (const [instrument, fields] of groupBy(this.fields, (field) => field.instrument)) {
      for (const field of fields) {
        for (const column of this.#columnsOf(field)) columns.set(column.name, column);
        if (missing.length === 0) continue;
        for (const column of this.missingColumns(field, missing)) columns.set(column.name, column);
      }
      const name = formStatusName(instrument);
      columns.set(name, { name, instrument, field: undefined, choice: undefined });
    }
    return columns;
  }

  #columnsOf(field: Field): ExportColumn[] {
    const { name, instrument, type } = field;
    if (type === 'descriptive') return [];
    if (type === 'checkbox') return toColumns(field, this.choices(field));
    return [{ name, instrument, field, choice: undefined }];
  }
}

/** Returns a column for each choice of a checkbox field. */
function toColumns(field: Field, choices: readonly Choice[]): ExportColumn[] {
  const { name, instrument } = field;
  return choices.map((choice) => ({
    name: checkboxColumnName(name, choice.code),
    instrument,
    field,
    choice,
  }));
}

/** Dictionaries by their first field, for as long as it is in use. */
const KNOWN = new WeakMap<Field, DataDictionary>();
