import type { ImportChange } from '../../gateways/redcap/crf-client.js';
import type { TextEncoding } from '../../domain/bytes/decode-text.js';
import { ENGLISH } from './in-language.js';

const { counted, number } = ENGLISH;
const records = (count: number): string => counted(count, 'record', 'records');

/** The English texts of the page that checks a file. */
export const tryFileTexts = {
  tryFile: {
    title: 'Try a file',
    lead: 'A CSV or a workbook (.xlsx) with records is checked against the data dictionary, row by row. Checking stores nothing.',
    file: 'A CSV file or a workbook, the names of the fields in its first row',
    limit: 'Up to 10 MB, a workbook up to 2 MB.',
    check: 'Check the file',
    store: 'Store it in REDCap',
    notKept: 'The file was not kept: choose it again to store it.',
    noFile: 'No file at hand?',
    example: 'This example has mistakes.',
    tooLarge: 'The file has more than 10 MB. Check it on the command line: crf import --dry-run FILE.',
    noRows: 'The file has no rows: below the names of the fields there must be at least one record.',
    firstOf: (shown: number, total: number) => `The first ${number(shown)} of ${number(total)}`,
    inOrder: 'In the order of the file',
    columns: {
      line: 'Line',
      lines: 'Lines',
      record: 'Record',
      firstRecord: 'First record',
      event: 'Event',
      instance: 'Instance',
      field: 'Field',
      change: 'Change',
      stored: 'Stored',
      newValue: 'New value',
      warning: 'Warning',
      values: 'Values',
      wrong: 'What is wrong',
      meant: 'Probably meant',
    },
  },

  fileChoices: {
    title: 'How the file is read',
    encoding: 'Encoding of its text',
    encodings: {
      'utf-8': 'UTF-8',
      'windows-1252': 'Windows-1252, as older spreadsheets write it',
      'utf-16le': 'UTF-16 LE, “Unicode text”',
      'utf-16be': 'UTF-16 BE',
    } satisfies Record<TextEncoding, string>,
    dates: 'Dates',
    dateOrders: { YMD: '2026-12-31', DMY: '31/12/2026 or 31.12.2026', MDY: '12/31/2026' },
    century: 'Years of two digits',
    centuries: { none: 'refuse them', 2000: 'are of 2000 to 2099', 1900: 'are of 1900 to 1999' },
    values: 'Choices',
    ofValues: { raw: 'are given as codes', label: 'are given as labels' },
    header: 'First row',
    ofHeader: { raw: 'has the names of fields', label: 'has the labels of fields' },
    decimals: 'Numbers',
    writtenWith: { ',': '1.234,5', '.': '1,234.5' },
    asStored: 'as REDCap stores them',
    limits: 'Values outside the limits of their field',
    ofLimits: { warn: 'store them, with a warning', refuse: 'refuse the file' },
    numbering: 'New records',
    ofNumbering: {
      file: 'have the ids of the file',
      redcap: 'all records are new, and REDCap numbers them',
    },
    sheet: 'Sheet of a workbook; the first if left blank',
    misfits: 'Values that do not fit their field',
    ofMisfits: { refuse: 'refuse the file', keep: 'send them as they are, with a warning' },
  },

  fileReport: {
    valid: (count: number, hasWarnings: boolean) =>
      `${hasWarnings ? 'The file is valid' : 'All is well'}: ${records(count)} could be stored. Nothing has been stored.`,
    stored: (count: number) => `Stored ${records(count)} in REDCap.`,
    ignored: (count: number) =>
      `${counted(count, 'column cannot be imported and is', 'columns cannot be imported and are')} left out.`,
    /** @param place the row, counted from 1, and its line; 0 is the header, and undefined the whole file */
    unreadable: (place: { readonly row: number; readonly line: number } | undefined, rule: string) =>
      `${place === undefined ? 'The file' : `${place.row === 0 ? 'The header' : `Record number ${number(place.row)}`} of the file (line ${number(place.line)})`} ${rule}.`,
    interrupted: (stored: number, from: number) =>
      `The import stopped after ${records(stored)} had been stored. Go on from record number ${number(from)} of the file.`,
    miscounted: (sent: number, confirmed: number, from: number, stored: number) =>
      `REDCap counted ${number(confirmed)} of ${records(sent)} that were sent. Look at these records in REDCap, or send them again from record number ${number(from)} of the file. ${counted(stored, 'other record is', 'other records are')} stored.`,
    /** What the notes about a stopped import, or a mistake in the form, begin with. */
    parts: { records: 'Records', import: 'The import', sheet: 'The sheet', table: 'The table' } as Readonly<
      Record<string, string>
    >,
    numbered: (ids: string) => `Numbered by REDCap: ${ids}.`,
    repeated: (count: number, lines: string) =>
      `${counted(count, 'row is', 'rows are')} for a record that an earlier row of the file is for, too; the later value stands: ${lines}.`,
    repeatedRow: (line: number, record: string) => `line ${number(line)} (${record})`,
    notChecked: {
      places:
        'Not checked: whether the events and instruments of the rows are those of the project. The service may not read them, and REDCap may refuse the rows.',
      groups:
        'Not checked: whether the project has the data access groups of the rows. The service may not read them, and REDCap may refuse the rows.',
    },
    undo: 'Download what was replaced',
    undoNote:
      'With this file, crf undo FILE restores what was stored before. It has values of records: keep it safe.',
    warnings: (count: number) => counted(count, 'warning', 'warnings'),
    storedAnyway: 'REDCap stored the file anyway.',
    mayRefuse: 'REDCap may refuse the values that do not fit their field.',
    wouldStore: 'REDCap would store the file anyway.',
    labelOfWarnings: 'Warnings',
    faults: (count: number) => `${counted(count, 'value is', 'values are')} not valid. Nothing was stored.`,
    toCorrect: 'What to correct',
    together: 'What to correct; equal mistakes stand together',
  },

  fileChanges: {
    ofRecords: (added: number, changed: number, unchanged: number) =>
      `If the file is stored: records: ${number(added)} new, ${number(changed)} changed, ${number(unchanged)} unchanged`,
    ofValues: (set: number, changed: number, erased: number) =>
      `values of existing records: ${number(set)} set, ${number(changed)} changed, ${number(erased)} erased.`,
    erasing: (fields: string) => `It erases more than it sets in ${fields}.`,
    groups: (count: number) => `Records that move to another data access group: ${number(count)}.`,
    lookalikes: (count: number, record: string, line: number, stored: string) =>
      `New ids that are probably those of stored records: ${number(count)}, such as ${record} (line ${line}) and ${stored}. Has a spreadsheet removed leading zeros?`,
    label: 'Changes',
    firstOf: (shown: number, total: number) =>
      `The first ${number(shown)} of ${number(total)}; crf import --diff-csv lists all`,
    kinds: {
      new: 'new record',
      set: 'set',
      changed: 'changed',
      erased: 'erased',
    } satisfies Record<ImportChange['kind'], string>,
  },
};
