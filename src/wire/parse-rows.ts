import { parse } from 'csv-parse/sync';
import type { Choice } from '../domain/dictionary/choices.js';
import type { DataDictionary } from '../domain/dictionary/data-dictionary.js';
import { checkboxColumnName } from '../domain/dictionary/export-column.js';
import type { Format } from '../wire/answer.js';
import { ApiFailure } from '../wire/api-failure.js';
import { delimiterOf, type Parameters } from '../wire/parameters.js';

/** One row of an import: its text values by column. */
export type ImportedRow = ReadonlyMap<string, string>;

interface ParseImportOptions {
  /**
   * Whether to read the data as imports of users and settings do: an object as a cell becomes `form_1:1,form_2:0` as in
   * CSV, and `false` becomes `0`; a single object counts as a list of one; any root element may be around the items of
   * XML; and the message for data in another format is `NOT_IN_FORMAT`.
   */
  readonly hasObjects?: boolean;
}

/**
 * Parses the data of an import.
 *
 * @returns the rows; undefined for a JSON document that is not a list, for which REDCap stores nothing and counts 0
 * (issue)
 * @throws {ApiFailure} 400 when the data cannot be parsed
 */
export function parseImport(
  parameters: Parameters,
  format: Format,
  { hasObjects = false }: ParseImportOptions = {},
): readonly ImportedRow[] | undefined {
  const data = parameters.text('data');
  if (format === 'json') return parseJson(data, hasObjects);
  const rows = format === 'csv' ? parseCsv(data, delimiterOf(parameters)) : parseXmlRows(data, hasObjects);
  if (rows === undefined) {
    throw new ApiFailure(
      400,
      hasObjects ? NOT_IN_FORMAT : 'The data being imported is not formatted correctly.',
    );
  }
  return rows;
}

/**
 * The message for data of users, roles and structure that is in another format.
 *
 * @see docs/protocol/redcap.md 20 (client)
 */
export const NOT_IN_FORMAT = 'The data is not in the specified format.';

/** The message for malformed JSON. @see docs/protocol/redcap.md 2.3 (wire) */
const JSON_FAILURE =
  'The data being imported is not formatted correctly. PHP error from JSON decoder: Syntax error. The JSON must be in an array, as in [{ ... }].';

function parseJson(data: string, hasObjects: boolean): ImportedRow[] | undefined {
  let document: unknown;
  try {
    document = JSON.parse(data);
  } catch {
    throw new ApiFailure(400, JSON_FAILURE);
  }
  if (hasObjects && typeof document === 'object' && document !== null && !Array.isArray(document))
    document = [document];
  if (!Array.isArray(document)) return undefined;
  return document.map((row: unknown) => {
    if (typeof row !== 'object' || row === null) throw new ApiFailure(400, JSON_FAILURE);
    return new Map(Object.entries(row).map(([column, value]) => [column, toText(value, hasObjects)]));
  });
}

/**
 * Numbers and strings are both accepted (client). PHP converts `true` to `1`, and `false` and null to an empty text.
 */
function toText(value: unknown, hasObjects: boolean): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (hasObjects && typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, right]) => `${name}:${String(right)}`)
      .join(',');
  }
  // A cell must be a single value. What the server does with a list or object is unknown (choice).
  if (typeof value === 'object' && value !== null) throw new ApiFailure(400, JSON_FAILURE);
  // A right or a switch that is sent as false is one that is taken away.
  if (value === false && hasObjects) return '0';
  return value === true ? '1' : '';
}

function parseCsv(data: string, delimiter: string): ImportedRow[] | undefined {
  try {
    const rows: string[][] = parse(data, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
    });
    const [header = [], ...lines] = rows;
    return lines.map((cells) => new Map(header.map((column, index) => [column.trim(), cells[index] ?? ''])));
  } catch {
    return undefined;
  }
}

/**
 * The parts of a document: a CDATA section, a tag without attributes, text, or a `<` that begins none of these. A
 * section without an end reaches to the end of the document. No part can be read in two ways, so that the time grows
 * with the length of the document alone, whatever is missing in it.
 */
const TOKEN = /(<!\[CDATA\[[\s\S]*?(?:\]\]>|$))|<(\/?)([a-z]\w*)(\/?)>|([^<]+)|</gi;
const PART = new RegExp(String.raw`<!\[CDATA\[([\s\S]*?)\]\]>|&(#?\w+);`, 'g');

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

const RECORDS = /<records\s*\/>|<\/records>\s*$/;
const ANY_LIST = /<\w+\s*\/>\s*$|<\/\w+>\s*$/;

/**
 * Parses the rows of an XML import: `<records><item><field>value</field></item></records>`, with plain values or CDATA.
 * Elements without an end, or with attributes, are left out.
 *
 * @param hasAnyRoot whether to accept any root element, a single item without one, and cells that hold the rights by
 * instrument of a user or a role, as in imports of a project's structure
 * @returns undefined when there is no list of items
 * @see docs/protocol/redcap.md 1.8 (doc), 20 (client, doc)
 */
export function parseXmlRows(data: string, hasAnyRoot = false): ImportedRow[] | undefined {
  if (!(hasAnyRoot ? ANY_LIST : RECORDS).test(data)) return undefined;
  const reader = new ItemReader(hasAnyRoot ? 2 : 1);
  for (const [token, section, slash, name, selfClosing, text] of data.matchAll(TOKEN)) {
    if (token === '<item>') reader.openItem();
    else if (token === '</item>') reader.closeItem();
    else if (name === undefined) reader.addText(section ?? text);
    else if (slash === '/') reader.close(name);
    else {
      reader.open(name);
      if (selfClosing === '/') reader.close(name);
    }
  }
  return reader.rows;
}

/** An element of an item that has begun. */
interface OpenElement {
  readonly name: string;
  text: string;
  /** The elements in it, as pairs of name and value: `form_1:1`. */
  readonly pairs: string[];
}

/** Collects the items of a document as rows. */
class ItemReader {
  readonly rows: ImportedRow[] = [];
  #row: Map<string, string> | undefined;
  /** The elements that have begun and not ended, the outer one first. */
  #open: OpenElement[] = [];

  /** @param depth 1 if cells hold text alone, 2 if they may hold elements */
  constructor(private readonly depth: 1 | 2) {}

  /** Begins an item, or goes on with one that was not closed. */
  openItem(): void {
    this.#row ??= new Map();
    this.#open = [];
  }

  closeItem(): void {
    if (this.#row !== undefined) this.rows.push(this.#row);
    this.#row = undefined;
  }

  open(name: string): void {
    // An element that may hold none is not a cell; the one in it may be.
    if (this.#open.length === this.depth) this.#open.pop();
    this.#open.push({ name, text: '', pairs: [] });
  }

  /** @param text undefined for a stray `<`: the element around it is not a cell */
  addText(text: string | undefined): void {
    const element = this.#open.at(-1);
    if (text === undefined) this.#open = [];
    else if (element !== undefined) element.text += text;
  }

  close(name: string): void {
    const element = this.#open.pop();
    if (element?.name.toLowerCase() !== name.toLowerCase()) {
      this.#open = [];
      return;
    }
    const value = element.pairs.length > 0 ? element.pairs.join(',') : element.text;
    const outer = this.#open.at(-1);
    // Rights by instrument become one cell, as CSV has them: `form_1:1,form_2:0`.
    if (outer === undefined) this.#row?.set(element.name, decode(value));
    else outer.pairs.push(`${element.name}:${value}`);
  }
}

/** Replaces CDATA sections and entities by the text they stand for. */
function decode(text: string): string {
  return text.replace(PART, (whole: string, data: string | undefined, entity: string | undefined) => {
    if (entity === undefined) return data ?? '';
    return ENTITIES.get(entity) ?? numericEntity(entity) ?? whole;
  });
}

function numericEntity(entity: string): string | undefined {
  const [, decimal, hexadecimal] = /^#(?:(\d{1,7})|x([0-9a-f]{1,6}))$/i.exec(entity) ?? [];
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

const PLACE = ['redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance'] as const;

/**
 * Makes rows of an EAV import, which have one value each, those of a flat one: the values of one place become one row.
 *
 * @throws {ApiFailure} 400 for the instance `new`, which only flat imports support
 * @see docs/protocol/redcap.md 5.3 (doc, client)
 */
export function flatRows(
  rows: readonly ImportedRow[],
  dictionary: DataDictionary,
  missingCodes: readonly Choice[],
): readonly ImportedRow[] {
  const idField = dictionary.recordIdField?.name ?? '';
  const places = new Map<string, Map<string, string>>();
  for (const row of rows) {
    const cell = (name: string): string => (row.get(name) ?? '').trim();
    if (cell('redcap_repeat_instance') === 'new') {
      throw new ApiFailure(400, 'The value "new" of redcap_repeat_instance is not valid with type=eav');
    }
    const place = PLACE.map((name) => [name, cell(name)] as const).filter(([, value]) => value !== '');
    const key = JSON.stringify([cell('record'), ...place]);
    const flat = places.get(key) ?? new Map([[idField, cell('record')], ...place]);
    places.set(key, flat);
    if (cell('field_name') !== idField)
      flat.set(...eavValue(cell('field_name'), row.get('value') ?? '', dictionary, missingCodes));
  }
  return [...places.values()];
}

/**
 * Returns the column and the value of an EAV row. A checkbox choice is given as `f___code` with 0 or 1, or as in an export: the
 * field name with a checked code.
 */
function eavValue(
  name: string,
  value: string,
  dictionary: DataDictionary,
  missingCodes: readonly Choice[],
): [string, string] {
  const field = dictionary.field(name);
  if (field?.type !== 'checkbox') return [name, value];
  const isChecked = [...dictionary.choices(field), ...missingCodes].some(({ code }) => code === value);
  return isChecked ? [checkboxColumnName(name, value), '1'] : [name, value];
}
