import { BOUNDS, refuseBeyond } from './workbook-limits.js';
import type { Attributes, XmlListener } from './read-xml.js';

/** The formats of cells, of which the attribute `s` of a cell names one: whether a number is a date or a time. */
export class CellFormats implements XmlListener {
  /** The formats that a workbook defines, by number. */
  readonly #codes = new Map<string, string>();
  readonly #isDate = new Map<string, boolean>();
  /** The numbers of formats: of the named styles, and of what cells refer to. */
  readonly #styles = { cellStyleXfs: [] as string[], cellXfs: [] as string[] };
  #list: string[] | undefined;

  open(name: string, attributes: Attributes): void {
    if (name === 'numFmt') {
      const code = attributes['formatCode'] ?? '';
      refuseBeyond('format_characters', code.length, BOUNDS.format_characters);
      this.#codes.set(attributes['numFmtId'] ?? '', code);
    } else if (name === 'cellStyleXfs' || name === 'cellXfs') this.#list = this.#styles[name];
    else if (name === 'xf') {
      const base = this.#styles.cellStyleXfs[Number(attributes['xfId'])];
      this.#list?.push(attributes['numFmtId'] ?? base ?? '0');
    }
  }

  close(name: string): void {
    if (name === 'cellStyleXfs' || name === 'cellXfs') this.#list = undefined;
  }

  /**
   * @param style the attribute `s` of a cell
   * @throws {Error} the workbook has no such format
   */
  isDate(style: string | undefined): boolean {
    if (style === undefined) return false;
    const format = this.#styles.cellXfs[Number(style)];
    if (format === undefined) throw new Error('A cell has a format that does not exist.');
    const known = this.#isDate.get(format);
    if (known !== undefined) return known;
    const isDate = BUILT_IN_DATES.test(format) || isDateCode(this.#codes.get(format) ?? '');
    this.#isDate.set(format, isDate);
    return isDate;
  }
}

/** The numbers of formats of dates and times that every spreadsheet has, those of East Asia and Thailand included. */
const BUILT_IN_DATES = /^(?:1[4-9]|2[0-2]|2[7-9]|3[0-6]|4[5-7]|5[0-8]|7[1-9]|8[01])$/;

/** What a format says of days and hours: `yyyy`, `mm`, `AM/PM`, or several without a sign between them. */
const DATE_PART = /^(?:s{1,2}|m{1,5}|h{1,2}|d{1,4}|y{1,4}|a{3,5}|e{1,4}|[ap]m?)+$/;

/** Whether one of the sections of a format, such as `[h]:mm;@`, has parts of a date or a time and nothing else. */
function isDateCode(code: string): boolean {
  const sections = code
    .toLowerCase()
    .replace(/\\.|"[^"]*"/gs, ' ')
    // Elapsed time; other brackets hold a colour, a condition or a language.
    .replace(/\[([smhd]{1,2})\]/g, '$1')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/([smhd])[.,]0+/g, '$1')
    .split(';');
  return sections.some((section) => {
    const parts = section.match(/[a-z0#?%]+/g) ?? [];
    return parts.length > 0 && parts.every((part) => DATE_PART.test(part));
  });
}
