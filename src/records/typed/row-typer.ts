import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import { checkboxColumnName, type ExportColumn } from '../../domain/dictionary/export-column.js';
import { FORM_STATUS_CHOICES, type Choice } from '../../domain/dictionary/choices.js';
import type { Field } from '../../domain/dictionary/field.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { kindOf, valueReader } from '../../domain/dictionary/typed-values.js';
import type { RecordRow, TypedForm } from '../../gateways/redcap/crf-client.js';
import type { OutputRow } from '../formats/row-bytes.js';

/** Called for each value that does not fit the type of its field and is kept as text. */
export type OnMisfit = (row: RecordRow, column: string) => void;

type Convert = (text: string) => unknown;

/** How one column of REDCap is converted. */
interface TypedColumn {
  readonly key: string;
  /** Undefined for the first column of a checkbox field, which represents all of its columns. */
  readonly convert: Convert | undefined;
  readonly checkbox?: CheckboxColumns | undefined;
}

interface CheckboxColumns {
  readonly choices: readonly { readonly column: string; readonly value: unknown }[];
  readonly missing: readonly { readonly column: string; readonly value: unknown }[];
}

/** Returned by a converter for text that does not fit. */
const MISFIT = Symbol('a value that does not fit its type');

/**
 * Converts the values of rows to the types of their fields. An empty value becomes null. A value that does not fit its
 * type remains text and is reported. Rows with the same columns share one plan.
 */
export class RowTyper {
  #last:
    | { readonly keys: readonly string[]; readonly plan: readonly (readonly [string, TypedColumn])[] }
    | undefined;

  constructor(
    private readonly structure: ProjectStructure,
    private readonly options: OrUndefined<TypedForm> = {},
  ) {}

  /** @param onMisfit called for each column that remains text */
  type(row: RecordRow, onMisfit: OnMisfit): OutputRow {
    const typed: Record<string, unknown> = {};
    for (const [name, { key, convert, checkbox }] of this.#planFor(row)) {
      if (checkbox !== undefined) this.#checkbox(row, key, checkbox, typed, onMisfit);
      else if (convert !== undefined) {
        const text = row[name];
        const value =
          text === '' || text === undefined ? null : convert(typeof text === 'string' ? text : `${text}`);
        if (value === MISFIT) onMisfit(row, name);
        typed[key] = value === MISFIT ? text : value;
      }
    }
    return typed;
  }

  /** Returns the names of the converted columns, for the header of a CSV. */
  keysOf(columns: readonly string[]): readonly string[] {
    return this.#planOf(columns).map(([, { key }]) => key);
  }

  #checkbox(
    row: RecordRow,
    key: string,
    { choices, missing }: CheckboxColumns,
    typed: Record<string, unknown>,
    onMisfit: OnMisfit,
  ): void {
    const checked: unknown[] = [];
    const odd: string[] = [];
    let isBlank = true;
    for (const { column, value } of choices) {
      const state = row[column];
      if (state === '' || state === undefined) continue;
      isBlank = false;
      if (state === '1') checked.push(value);
      else if (state !== '0') odd.push(column);
    }
    const code = missing.find(({ column }) => row[column] === '1');
    typed[key] = code === undefined ? (isBlank ? null : checked) : code.value;
    for (const column of odd) {
      onMisfit(row, column);
      typed[column] = row[column];
    }
  }

  /** Rows of one export have the same columns, so the plan of the previous row nearly always applies. */
  #planFor(row: RecordRow): readonly (readonly [string, TypedColumn])[] {
    const keys = Object.keys(row);
    const last = this.#last;
    if (last?.keys.length === keys.length && last.keys.every((key, at) => key === keys[at])) return last.plan;
    const plan = this.#planOf(keys);
    this.#last = { keys, plan };
    return plan;
  }

  #planOf(columns: readonly string[]): readonly (readonly [string, TypedColumn])[] {
    const seen = new Set<string>();
    const missingColumns = this.structure.missingDataColumns();
    return columns.flatMap((name): (readonly [string, TypedColumn])[] => {
      const column = this.structure.dictionary.column(name);
      const field = column?.field ?? missingColumns.get(name);
      if (field?.type !== 'checkbox') return [[name, { key: name, convert: this.#converter(name, column) }]];
      if (seen.has(field.name)) return [];
      seen.add(field.name);
      return [[name, { key: field.name, convert: undefined, checkbox: this.#checkboxColumns(field) }]];
    });
  }

  #checkboxColumns(field: Field): CheckboxColumns {
    const { dictionary, missingDataCodes } = this.structure;
    const own = new Set(dictionary.choices(field).map(({ code }) => checkboxColumnName(field.name, code)));
    return {
      choices: dictionary.choices(field).map((choice) => ({
        column: checkboxColumnName(field.name, choice.code),
        value: this.#coded(choice),
      })),
      missing: [...missingDataCodes]
        .map((code) => ({ column: checkboxColumnName(field.name, code), value: this.#missing(code) }))
        .filter(({ column }) => !own.has(column)),
    };
  }

  #converter(name: string, column: ExportColumn | undefined): Convert {
    if (name === 'redcap_repeat_instance') return (text) => (/^\d{1,15}$/.test(text) ? Number(text) : text);
    // Columns added by REDCap, and the record id, which is always text.
    if (column === undefined || name === this.structure.dictionary.recordIdField?.name) return (text) => text;
    const codes = this.structure.missingDataCodes;
    const convert = this.#byKind(column);
    if (codes.size === 0) return convert;
    return (text) => (codes.has(text) ? this.#missing(text) : convert(text));
  }

  #byKind({ field }: ExportColumn): Convert {
    const read = valueReader(field);
    if (kindOf(field) !== 'code') return (text) => read(text) ?? MISFIT;
    const choices = field === undefined ? FORM_STATUS_CHOICES : this.structure.dictionary.choices(field);
    const coded = new Map(choices.map((choice) => [choice.code, this.#coded(choice)]));
    return (text) => (coded.has(text) ? coded.get(text) : MISFIT);
  }

  #coded(choice: Choice): unknown {
    return this.options.labels ? { code: choice.code, label: choice.label } : choice.code;
  }

  #missing(code: string): unknown {
    return this.options.missing === 'null' ? null : { missing: code };
  }
}
