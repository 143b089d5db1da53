import { MemberLeads } from '../../buffers/member-leads.js';
import { viewOf } from '../../buffers/view-of.js';
import { ANY_BYTES, type ByteRule } from '../../dictionary/byte-rules.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import { parseRow } from '../record-export/parse-row.js';
import { JsonBytes } from '../record-import/json-bytes.js';
import { CLOSE_BRACE, endOfNumber, endOfText, QUOTE } from '../record-import/json-scan.js';
import type { FieldCheck, FormChecks } from './form-checks.js';

/** A column at its position in the rows of an export. */
interface ReducedColumn {
  /** Accepts the values that cannot lead to a finding. Undefined if every value is needed. */
  readonly accepts: ByteRule | undefined;
  /** Whether the value `0` means no value. */
  readonly isCheckbox: boolean;
  /** The number of its form. */
  readonly form: number;
}

/**
 * Removes values from the JSON of rows so that the rest leads to the same findings: empty values, and valid values of
 * fields that are always shown, not required, not calculated, and in no logic. At least one value remains of each form
 * that has any. Most values of a study are of this kind, and removing them takes a fraction of the time in which they
 * could be parsed and checked.
 */
export class RowReducer {
  readonly #structure: ProjectStructure;
  readonly #checks: ReadonlyMap<string, FieldCheck>;
  /** All words in the logic of the project, in lower case: every field to which it refers, and others. */
  readonly #words: ReadonlySet<string>;
  readonly #json = new JsonBytes();
  #columns: readonly ReducedColumn[] | undefined;
  #leads = new MemberLeads(0);
  /** By form: 1 if a value of it remains in the current row. */
  readonly #hasValue: Uint8Array;

  /** @param forms the forms that are checked */
  constructor(structure: ProjectStructure, forms: readonly FormChecks[]) {
    this.#structure = structure;
    const checks = forms.flatMap(({ fields }) => fields);
    this.#checks = new Map(checks.map((check) => [check.field.name, check]));
    this.#words = new Set(checks.flatMap(wordsOf));
    this.#hasValue = new Uint8Array(structure.dictionary.instruments.length);
  }

  /**
   * @param row one flat JSON object
   * @returns a shorter row that leads to the same findings, valid until the next call; or the row itself
   */
  reduced(row: Buffer): Buffer {
    this.#columns ??= this.#plan(Object.keys(parseRow(row)));
    return this.#read(row, this.#columns) ? this.#json.bytes : row;
  }

  #plan(names: readonly string[]): readonly ReducedColumn[] {
    this.#leads = new MemberLeads(names.length);
    for (const [index, name] of names.entries())
      this.#leads.learn(index, Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    return names.map((name) => this.#columnOf(name));
  }

  #columnOf(name: string): ReducedColumn {
    const { dictionary } = this.#structure;
    const column = dictionary.column(name);
    const field = column?.field;
    const isCheckbox = field?.type === 'checkbox';
    const form = dictionary.instruments.indexOf(column?.instrument ?? '');
    const isNeeded =
      field === undefined || field.name === dictionary.recordIdField?.name || this.#words.has(field.name);
    if (isNeeded) return { accepts: undefined, isCheckbox, form };
    const check = this.#checks.get(field.name);
    if (check === undefined) return { accepts: ANY_BYTES, isCheckbox, form };
    const isPlain = check.isAlwaysShown && !field.isRequired && field.type !== 'calc';
    return { accepts: isPlain ? dictionary.byteRule(name) : undefined, isCheckbox, form };
  }

  /** @returns false if the row has other columns, or values that have to be parsed */
  #read(row: Buffer, columns: readonly ReducedColumn[]): boolean {
    const view = viewOf(row);
    const json = this.#json;
    const leads = this.#leads;
    const hasValue = this.#hasValue.fill(0);
    json.clear();
    let at = 0;
    for (let index = 0; index < columns.length; index++) {
      const { accepts, isCheckbox, form } = columns[index] as ReducedColumn;
      const opening = at;
      const start = leads.endAt(view, index, at);
      if (start === -1) return false;
      const isText = row[start] === QUOTE;
      const from = isText ? start + 1 : start;
      const end = isText ? endOfText(row, from, true) : endOfNumber(row, from);
      if (end === -1) return false;
      at = isText ? end + 1 : end;
      // The first member is always kept: all others begin with a comma.
      if (index > 0) {
        if (from === end) continue;
        if (accepts?.(row, from, end) === true) {
          const isUnchecked = isCheckbox && end - from === 1 && row[from] === ZERO;
          if (isUnchecked || hasValue[form] === 1) continue;
          hasValue[form] = 1;
        }
      }
      json.add(row, opening, at);
    }
    if (row[at] !== CLOSE_BRACE || at + 1 !== row.length) return false;
    json.addByte(CLOSE_BRACE);
    return true;
  }
}

function wordsOf({ field }: FieldCheck): string[] {
  const logic = `${field.branchingLogic} ${field.type === 'calc' ? field.choicesOrCalculations : ''}`;
  return logic.toLowerCase().match(/\w+/g) ?? [];
}

const ZERO = 0x30;
