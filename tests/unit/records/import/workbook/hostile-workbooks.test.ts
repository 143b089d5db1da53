import { expect } from 'chai';
import { text } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import writeXlsxFile, { type SheetData } from 'write-excel-file/node';
import { InputErrors } from '../../../../../src/records/import/input-errors.js';
import { COMMAND_LIMITS, readWorkbook } from '../../../../../src/records/import/workbook/read-workbook.js';
import { packWorkbook, unpackWorkbook } from '../../../../../src/records/import/workbook/workbook-parts.js';
import { rejection } from '../../../../support/rejection.js';

const SHEET = 'xl/worksheets/sheet1.xml';
const sheetOf = (rows: string): string =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;

/** A workbook with other XML in place of its sheet, and what the directory of the archive says. */
async function workbookWith(sheet: string | Buffer, statedBytes?: number): Promise<Buffer> {
  const usual = await writeXlsxFile([['record_id']] as SheetData, { sheet: 'rows' }).toBuffer();
  const parts = (await unpackWorkbook(usual, COMMAND_LIMITS.unpackedBytes)) ?? [];
  return archiveOf(
    parts.map(({ name, bytes }) => ({ name, bytes: name === SHEET ? Buffer.from(sheet) : bytes })),
    statedBytes,
  );
}

function archiveOf(
  parts: readonly { readonly name: string; readonly bytes: Buffer }[],
  statedBytes?: number,
): Buffer {
  const [entries, directory]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const { name, bytes } of parts) {
    const packed = deflateRawSync(bytes, { level: 1 });
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(statedBytes ?? bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const entry = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000'), fields, rest, Buffer.from(name));
    entries.push(entry);
    at += entry.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...entries, ...directory, Buffer.from('PK\u0005\u0006'), end]);
}

const read = async (workbook: Buffer): Promise<string> =>
  text(await readWorkbook(workbook, {}, new InputErrors('file')));
const refusal = async (sheet: string | Buffer, statedBytes?: number): Promise<string> => {
  const error = await rejection(read(await workbookWith(sheet, statedBytes)));
  return `${error.name}: ${error.message}`;
};
const value = (place: string): string => `<c r="${place}" t="inlineStr"><is><t>x</t></is></c>`;

const UNREADABLE =
  'MalformedRequestError: The file is not a workbook (.xlsx) that can be read: save the sheet as CSV.';
const OUTSIDE =
  'MalformedRequestError: The file has a cell or a row outside of the first 500000 rows and 10000 columns: delete what is beside the rows, or save the sheet as CSV.';

describe('readWorkbook (IN-20)', () => {
  it('reads a sheet whose rows have no numbers, and whose format reaches to the last row and column', async () => {
    const header = `<row>${value('A1')}${value('C1')}</row>`.replace('>x<', '>record_id<');
    const rows = `${header}<row>${value('A2')}</row><row r="500000"><c r="XFD500000" s="0"/></row>`;

    expect(await read(await workbookWith(sheetOf(rows)))).to.equal('\n{"record_id":"x","x":""}\n');
  });

  for (const [what, rows] of Object.entries({
    'a cell in column ZZZZZZ': `<row r="1">${value('ZZZZZZ1')}</row>`,
    'a cell in row 999999999': `<row r="1">${value('A999999999')}</row>`,
    'a row with the number 999999999': '<row r="999999999"/>',
    'a row with the number 1e9': `<row r="1e9">${value('A1')}</row>`,
    'a place under a prefix': `<row r="1"><c r="A1" x:r="ZZZZZZ1" xmlns:x="x"><v>1</v></c></row>`,
    'a place in another notation': `<row r="1">${value('r1c1')}</row>`,
    'more rows than are read': '<row/>'.repeat(500_001),
  }))
    it(`refuses ${what}`, async () => {
      expect(await refusal(sheetOf(rows))).to.equal(OUTSIDE);
    });

  it('refuses a value in a column without a name, as in a CSV, so that it is not lost', async () => {
    const refused = async (header: string, row: string): Promise<string> =>
      refusal(sheetOf(`<row>${header}</row><row/><row>${row}</row>`));
    const below = (column: string): string =>
      `MalformedRequestError: Record number 2 of the file (line 3) has a value in column ${column}, to which the header gives no name.`;

    expect(await refused(value('A1'), value('A3') + value('B3'))).to.equal(below('2'));
    // The second cell of a merged header is empty.
    expect(await refused(value('A1') + '<c r="B1"/>', value('B3'))).to.equal(below('2'));
    expect(await refused(value('B1'), value('A3'))).to.equal(below('1'));
  });

  it('reads the error of a formula as its text, as a CSV has it, so that it erases nothing', async () => {
    const error = (place: string, name: string, attributes: string): string =>
      `<c r="${place}" ${attributes}><f>1/0</f><v>${name}</v></c>`;
    const header = `<row>${value('A1')}${value('B1')}</row>`.replace('>x<', '>age<');
    const row = `<row>${error('A2', '#DIV/0!', 's="1" t="e"')}${error('B2', '#N/A', "t='e'")}</row>`;

    expect(await read(await workbookWith(sheetOf(header + row)))).to.equal(
      '\n{"age":"#DIV/0!","x":"#N/A"}\n',
    );
  });

  it('leaves a whole number that has lost digits as a number, which an import refuses', async () => {
    const number = '<row><c r="A2"><v>1.23456789012346E+19</v></c></row>';
    expect(await read(await workbookWith(sheetOf(`<row>${value('A1')}</row>${number}`)))).to.equal(
      '\n{"x":12345678901234600000}\n',
    );
  });

  it('refuses values far apart, of which each row would have thousands of empty cells', async () => {
    const rows = `<row r="1">${value('NTP1')}</row><row r="400000">${value('A400000')}</row>`;
    expect(await refusal(sheetOf(rows))).to.include('The file has values so far apart that');
    expect(await refusal(sheetOf(`<row r="1">${value('XFD1')}</row>`))).to.equal(OUTSIDE);
  });

  it('refuses an archive that unpacks to more than its limit, whatever size it states', async () => {
    const bomb = Buffer.alloc(150 * 1024 * 1024, ' ');
    for (const stated of [undefined, 0, 10])
      expect(await refusal(bomb, stated)).to.include('The file has more than 100 MB when it is unpacked');
  });

  it('refuses many parts that are too large together', async () => {
    const part = Buffer.alloc(30 * 1024 * 1024, ' ');
    const parts = ['a', 'b', 'c', 'd'].map((name) => ({ name: `${name}.xml`, bytes: part }));
    expect((await rejection(read(archiveOf(parts)))).message).to.include('more than 100 MB');
  });

  it('refuses a row that repeats one long text until it is larger than a row of an import', async () => {
    const text = `<is><t>${'x'.repeat(32_767)}</t></is>`;
    const columns = Array.from({ length: 40 }, (_, at) => String.fromCharCode(65 + (at % 26)));
    const places = columns.map((letter, at) => (at < 26 ? letter : `A${letter}`));
    const cells = (row: number, is: (place: string) => string): string =>
      `<row r="${row}">${places.map((place) => `<c r="${place}${row}" t="inlineStr">${is(place)}</c>`).join('')}</row>`;
    const rows = cells(1, (place) => `<is><t>${place}</t></is>`) + cells(2, () => text);

    expect(await refusal(sheetOf(rows))).to.equal(
      'MalformedRequestError: Record number 1 of the file (line 2) is larger than this service reads.',
    );
  });

  it('refuses a document type, broken XML, a damaged, encrypted or empty archive', async () => {
    expect(await refusal('<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>')).to.equal(UNREADABLE);
    expect(await refusal('<worksheet><sheetData><row>')).to.equal(UNREADABLE);
    const workbook = await workbookWith(sheetOf(`<row r="1">${value('A1')}</row>`));
    for (const bytes of [
      ...[0, 1, 4, 30, 100, workbook.length - 30].map((end) => workbook.subarray(0, end)),
      Buffer.from('PK\u0005\u0006'),
      Buffer.alloc(1000, 'PK\u0005\u0006'),
    ])
      expect((await rejection(read(bytes))).message, `${bytes.length} bytes`).to.include('not a workbook');
  });

  it('refuses a workbook of more than 20 MB unread', async () => {
    const error = await rejection(read(Buffer.alloc(COMMAND_LIMITS.bytes + 1)));
    expect(error.message).to.equal(
      'The file is a workbook of more than 20 MB: save the sheet as CSV, and import that.',
    );
  });

  it('gives the library the bytes that were checked, not those that a second header names', async () => {
    const harmless = await workbookWith(
      sheetOf(`<row r="1">${value('A1')}</row><row r="2">${value('A2')}</row>`),
    );
    // A reader that begins at the front finds another sheet there, which the directory does not name.
    const hidden = Buffer.concat([
      ...packWorkbook([{ name: SHEET, bytes: Buffer.from(sheetOf(`<row r="1">${value('ZZZZZZ1')}</row>`)) }]),
    ]).subarray(0, -22);
    const parts = (await unpackWorkbook(harmless, COMMAND_LIMITS.unpackedBytes)) ?? [];
    const both = Buffer.concat([hidden, archiveOf(parts)]);
    const end = both.length - 22;
    both.writeUInt32LE(both.readUInt32LE(end + 16) + hidden.length, end + 16);
    for (let at = both.readUInt32LE(end + 16); at < end; at += 46 + both.readUInt16LE(at + 28))
      both.writeUInt32LE(both.readUInt32LE(at + 42) + hidden.length, at + 42);

    expect(await read(both)).to.equal('\n{"x":"x"}\n');
  });
});
