import { DICTIONARY_COLUMNS, toDictionaryRow } from '../../domain/dictionary/dictionary-csv.js';
import type { Field } from '../../domain/dictionary/field.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { kindOf, numberFormOf, toNumber } from '../../domain/dictionary/typed-values.js';
import type { CrfClient, StreamRecordsOptions } from '../../gateways/redcap/crf-client.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { tableOf } from '../../records/typed/instrument-rows.js';
import type { ExportTarget } from '../files/file-target.js';
import { saveWorkbook, shortened, type WorkbookCell, type WorkbookSheet } from '../files/workbook.js';

/**
 * Writes a workbook with a sheet for each instrument, as `crf import` reads it, and a codebook. Numbers and dates are
 * numbers and dates of the spreadsheet; everything else is text. It is held in memory.
 *
 * @param forms the instruments; all that are at an event by default
 * @returns the number of rows of all instruments
 * @throws {InvalidRequestError} the project has no such instrument
 * @throws {CliError} the project does not fit into a workbook
 */
export async function exportWorkbook(
  target: ExportTarget,
  client: CrfClient,
  { forms, ...selection }: Omit<StreamRecordsOptions, 'fields' | 'limit'>,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<number> {
  const structure = await loadProjectStructure(client, { signal });
  const { dictionary } = structure;
  const chosen = forms ?? dictionary.instruments.filter((name) => structure.eventsOf(name).length > 0);
  const sheets: WorkbookSheet[] = [];
  let count = 0;
  for (const instrument of chosen) {
    const table = tableOf(structure, instrument);
    const exported = client.streamRecords({
      ...selection,
      ...table.selection(selection.events),
      signal,
    });
    const rows: WorkbookCell[][] = [];
    let columns = table.columns;
    for await (const row of table.rowsOf(exported)) {
      if (rows.length === 0) columns = Object.keys(row);
      rows.push(columns.map((name) => cellOf(String(row[name] ?? ''), columnField(structure, name))));
      onRows(++count);
    }
    sheets.push({ name: instrument, header: columns, rows });
  }
  const codebook = dictionary.fields.map((field) => {
    const row = toDictionaryRow(field);
    return DICTIONARY_COLUMNS.map((name) => shortened(row[name] ?? ''));
  });
  sheets.push({ name: 'Codebook', header: DICTIONARY_COLUMNS, rows: codebook });
  await saveWorkbook(target, sheets, signal);
  return count;
}

/** The field of a column whose values are numbers or dates; not the record id, whose zeros at the front count. */
function columnField({ dictionary }: ProjectStructure, name: string): Field | undefined {
  return name === dictionary.recordIdField?.name ? undefined : dictionary.column(name)?.field;
}

/** A number that a spreadsheet keeps as it is: of at most fifteen digits. Zeros in front may be part of a value. */
const KEPT = /^-?(?=(?:\.?\d){1,15}$)[\d.]+$/;
const ZERO_IN_FRONT = /^[-+]?0\d/;
/** Spreadsheets count days from 1900, and take that year for a leap year. */
const DATE = /^(?!1900)(?:19|[2-9]\d)\d\d-\d\d-\d\d$/;

function cellOf(text: string, field: Field | undefined): WorkbookCell {
  if (field === undefined) return text;
  const kind = kindOf(field);
  if (kind === 'integer' || kind === 'number') {
    const number = ZERO_IN_FRONT.test(text) ? undefined : toNumber(text, kind, numberFormOf(field));
    return number !== undefined && KEPT.test(String(number)) ? number : text;
  }
  return kind === 'date' && DATE.test(text) ? new Date(text) : text;
}
