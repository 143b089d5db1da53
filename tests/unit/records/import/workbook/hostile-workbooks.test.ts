import { expect } from 'chai';
import { crc32, deflateRawSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import writeXlsxFile, { type SheetData } from 'write-excel-file/node';
import { readSheet } from '../../../../../src/records/import/workbook/read-sheet.js';
import { ndjsonOf } from '../../../../../src/records/import/workbook/read-workbook.js';
import {
  COMMAND_LIMITS,
  WorkbookRefusal,
} from '../../../../../src/records/import/workbook/workbook-limits.js';

const SHEET = 'xl/worksheets/sheet1.xml';
const sheetOf = (rows: string): string =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;

/** A workbook with other XML in place of its sheet or other parts, and what the directory of the archive says. */
async function workbookWith(
  sheet: string | Buffer,
  statedBytes?: number,
  others: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const usual = await writeXlsxFile([['record_id']] as SheetData, { sheet: 'rows' }).toBuffer();
  const replaced = Object.entries({ ...others, [SHEET]: sheet }).map(
    ([name, content]): [string, Uint8Array] => [name, Buffer.from(content)],
  );
  const parts = { ...unzipSync(usual), ...Object.fromEntries(replaced) };
  return archiveOf(
    Object.entries(parts).map(([name, bytes]) => ({ name, bytes: Buffer.from(bytes) })),
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
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...entries, ...directory, Buffer.from('PK\u0005\u0006'), end]);
}

/** What is read of a workbook, or why it is not: the rule that it breaks, with the line, or that it cannot be read. */
function read(workbook: Uint8Array): string {
  try {
    return [...ndjsonOf(readSheet(workbook, {}, COMMAND_LIMITS, () => undefined))].join('');
  } catch (error) {
    if (!(error instanceof WorkbookRefusal)) return UNREADABLE;
    return error.place === undefined ? error.message : `line ${error.place.line} ${error.message}`;
  }
}
const refusal = async (...parts: Parameters<typeof workbookWith>): Promise<string> =>
  read(await workbookWith(...parts));
const value = (place: string): string => `<c r="${place}" t="inlineStr"><is><t>x</t></is></c>`;

const UNREADABLE = 'is not a workbook that can be read';
const OUTSIDE =
  'has a cell or a row outside of the first 500000 rows and 10000 columns: delete what is beside the rows, or save the sheet as CSV';

const beyond = (what: string): string =>
  `has more than ${what}, which no spreadsheet writes: save the sheet as CSV`;

describe('readSheet (IN-20)', () => {
  it('reads a sheet whose rows have no numbers, and whose format reaches to the last row and column', async () => {
    const header = `<row>${value('A1')}${value('C1')}</row>`.replace('>x<', '>record_id<');
    const rows = `${header}<row>${value('A2')}</row><row r="500000"><c r="XFD500000" s="0"/></row>`;

    expect(read(await workbookWith(sheetOf(rows)))).to.equal('\n{"record_id":"x","x":""}\n');
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
      `line 3 has a value in column ${column}, to which the header gives no name`;

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

    expect(read(await workbookWith(sheetOf(header + row)))).to.equal('\n{"age":"#DIV/0!","x":"#N/A"}\n');
  });

  it('leaves a whole number that has lost digits as a number, which an import refuses', async () => {
    const number = '<row><c r="A2"><v>1.23456789012346E+19</v></c></row>';
    expect(read(await workbookWith(sheetOf(`<row>${value('A1')}</row>${number}`)))).to.equal(
      '\n{"x":12345678901234600000}\n',
    );
  });

  it('refuses values far apart, of which each row would have thousands of empty cells', async () => {
    const rows = `<row r="1">${value('NTP1')}</row><row r="400000">${value('A400000')}</row>`;
    expect(await refusal(sheetOf(rows))).to.include('has values so far apart that');
    expect(await refusal(sheetOf(`<row r="1">${value('XFD1')}</row>`))).to.equal(OUTSIDE);
  });

  it('refuses an archive that unpacks to more than its limit, whatever size it states', async () => {
    const bomb = Buffer.alloc(150 * 1024 * 1024, ' ');
    expect(await refusal(bomb)).to.equal('has more than 100 MB when it is unpacked: save the sheet as CSV');
    // No more is unpacked than the archive states.
    for (const stated of [0, 10]) expect(await refusal(bomb, stated)).to.equal(UNREADABLE);
  });

  it('refuses many parts that are too large together', async () => {
    const part = Buffer.alloc(30 * 1024 * 1024, ' ');
    const parts = ['a', 'b', 'c', 'd'].map((name) => ({ name: `${name}.xml`, bytes: part }));
    expect(read(archiveOf(parts))).to.include('more than 100 MB');
  });

  it('refuses a row that repeats one long text until it is larger than a row of an import', async () => {
    const text = `<is><t>${'x'.repeat(32_767)}</t></is>`;
    const columns = Array.from({ length: 40 }, (_, at) => String.fromCharCode(65 + (at % 26)));
    const places = columns.map((letter, at) => (at < 26 ? letter : `A${letter}`));
    const cells = (row: number, is: (place: string) => string): string =>
      `<row r="${row}">${places.map((place) => `<c r="${place}${row}" t="inlineStr">${is(place)}</c>`).join('')}</row>`;
    const rows = cells(1, (place) => `<is><t>${place}</t></is>`) + cells(2, () => text);

    expect(await refusal(sheetOf(rows))).to.equal('line 2 is larger than this service reads');
  });

  it('refuses a row of one shared text before it is put together, which would take hundreds of megabytes', async () => {
    const texts = { 'xl/sharedStrings.xml': `<sst><si><t>${'y'.repeat(65_000)}</t></si></sst>` };
    const named = `<row r="1">${value('A1')}</row>`;
    const cells = (row: number): string =>
      `<row r="${row}">${'<c t="s"><v>0</v></c>'.repeat(9000)}<c r="A1"/></row>`;

    // The cell at the end would be refused, if the row were put together first.
    expect(await refusal(sheetOf(named + cells(2)), undefined, texts)).to.equal(
      'line 2 is larger than this service reads',
    );
    expect(await refusal(sheetOf(cells(1)), undefined, texts)).to.equal('is larger than this service reads');
  });

  it('refuses a directory that states four thousand million files, before it is read', async () => {
    const workbook = await workbookWith(sheetOf(`<row r="1">${value('A1')}</row>`));
    const end = workbook.length - 22;
    const [record, locator] = [Buffer.alloc(56), Buffer.alloc(20)];
    record.writeUInt32LE(0x06064b50, 0);
    record.writeUInt32LE(0xffffffff, 32);
    record.writeUInt32LE(workbook.readUInt32LE(end + 16), 48);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeUInt32LE(end, 8);

    expect(
      read(Buffer.concat([workbook.subarray(0, end), record, locator, workbook.subarray(end)])),
    ).to.equal(beyond('10000 files in its archive'));
  });

  it('refuses a document type, broken XML, a damaged, encrypted or empty archive', async () => {
    expect(await refusal('<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>')).to.equal(UNREADABLE);
    expect(await refusal('<worksheet><sheetData><row>')).to.equal(UNREADABLE);
    const workbook = await workbookWith(sheetOf(`<row r="1">${value('A1')}</row>`));
    for (const bytes of [
      ...[0, 1, 4, 30, 100, workbook.length - 30].map((end) => workbook.subarray(0, end)),
      Buffer.from('PK\u0005\u0006'),
    ])
      expect(read(bytes), `${bytes.length} bytes`).to.equal(UNREADABLE);
    expect(read(Buffer.alloc(1000, 'PK\u0005\u0006'))).to.equal(beyond('10000 files in its archive'));
  });

  it('refuses a file that is marked as encrypted, in the directory or only where it stands', async () => {
    const workbook = await workbookWith(sheetOf(`<row r="1">${value('A1')}</row>`));
    const places = {
      local: workbook.indexOf('PK\u0003\u0004') + 6,
      listed: workbook.indexOf('PK\u0001\u0002') + 8,
    };
    expect(read(workbook)).to.equal('\n');
    for (const [where, at] of Object.entries(places)) {
      const marked = Buffer.from(workbook);
      marked.writeUInt16LE(marked.readUInt16LE(at) | 1, at);
      expect(read(marked), where).to.equal(UNREADABLE);
    }
  });

  for (const [what, cell] of Object.entries({
    'a date that does not exist': 't="d"><v>2026-02-31x</v>',
    'a text that is not in the workbook': 't="s"><v>7</v>',
    'a number that is none': '><v>twelve</v>',
    'a truth that is neither': 't="b"><v>2</v>',
    'a type that nobody knows': 't="q"><v>1</v>',
  }))
    it(`names the line and the column of ${what}`, async () => {
      const rows = `<row r="1">${value('A1')}</row><row r="4">${value('A4')}<c r="C4" ${cell}</c></row>`;
      expect(await refusal(sheetOf(rows))).to.match(
        /^line 4 has a cell in column 3 that is not what its type says/,
      );
    });

  it('reads what the directory of the archive names, not what stands in front of it', async () => {
    const harmless = sheetOf(`<row r="1">${value('A1')}</row><row r="2">${value('A2')}</row>`);
    const hidden = zipSync({
      [SHEET]: Buffer.from(sheetOf(`<row r="1">${value('ZZZZZZ1')}</row>`)),
    }).subarray(0, -22);
    const both = Buffer.concat([hidden, await workbookWith(harmless)]);
    const end = both.length - 22;
    both.writeUInt32LE(both.readUInt32LE(end + 16) + hidden.length, end + 16);
    for (let at = both.readUInt32LE(end + 16); at < end; at += 46 + both.readUInt16LE(at + 28))
      both.writeUInt32LE(both.readUInt32LE(at + 42) + hidden.length, at + 42);

    expect(read(both)).to.equal('\n{"x":"x"}\n');
  });

  const STYLES = 'xl/styles.xml';
  const stylesOf = (code: string): string =>
    `<styleSheet><numFmts count="1"><numFmt numFmtId="170" formatCode="${code}"/></numFmts>` +
    '<cellXfs count="1"><xf numFmtId="170"/></cellXfs></styleSheet>';

  it('refuses what no spreadsheet has, by name, before it takes memory or time', async () => {
    const usual = sheetOf(`<row r="1">${value('A1')}</row>`);
    const attributes = Array.from({ length: 50_000 }, (_, at) => `a${at}=""`).join(' ');
    expect(await refusal(sheetOf('<a>'.repeat(4_000_000)))).to.equal(beyond('64 levels of elements'));
    expect(await refusal(sheetOf(`<row r="1" a="${'x'.repeat(1_500_000)}"/>`))).to.equal(
      beyond('524288 bytes in a tag and the text behind it'),
    );
    expect(await refusal(sheetOf(`<row r="1" ${attributes}/>`))).to.equal(
      beyond('128 attributes in an element'),
    );
    expect(await refusal(sheetOf(`<${'x'.repeat(1000)}/>`))).to.equal(
      beyond('255 characters in the name of an element or attribute'),
    );
    expect(
      await refusal(sheetOf(`<row r="1">${value('A1').replace('>x<', `>${'x'.repeat(70_000)}<`)}</row>`)),
    ).to.equal(beyond('65535 characters in a text'));
    expect(await refusal(usual, undefined, { [STYLES]: stylesOf('['.repeat(50_000)) })).to.equal(
      beyond('255 characters in a number format'),
    );
    const limits = { ...COMMAND_LIMITS, cells: 10 };
    const texts = { 'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(11)}</sst>` };
    const shared = await workbookWith(usual, undefined, texts);
    expect(() => readSheet(shared, {}, limits, () => undefined)).to.throw('more than 10 shared texts');
    const many = await workbookWith(sheetOf('<a/>'.repeat(60)));
    expect(() => readSheet(many, {}, limits, () => undefined)).to.throw('more than 50 elements');
  });

  it('reads names that begin alike without comparing each with all others', async () => {
    const names = Array.from({ length: 5000 }, (_, at) => `${'x'.repeat(200)}${at}`);
    const cells = names.map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join('');
    expect(await refusal(sheetOf(`<row r="1">${cells}</row>`))).to.equal('\n');
    expect(
      await refusal(
        sheetOf(`<row r="1">${cells}<c t="inlineStr"><is><t>${names[7] ?? ''}</t></is></c></row>`),
      ),
    ).to.equal('has one name twice in its sheet: in the columns 8 and 5001');
  });

  it('refuses texts that become larger than the workbook, because cells share them', async () => {
    const texts = { 'xl/sharedStrings.xml': `<sst><si><t>${'y'.repeat(30_000)}</t></si></sst>` };
    const row = (at: number): string => `<row r="${at}"><c r="A${at}" t="s"><v>0</v></c></row>`;
    const rows = Array.from({ length: 4000 }, (_, at) => row(at + 1)).join('');
    expect(await refusal(sheetOf(rows), undefined, texts)).to.include('more than 100 MB when it is unpacked');
  });

  it('reads dates, times and numbers by their formats, in both ways of counting days', async () => {
    const cell = async (number: string, code: string, epoch = ''): Promise<string> => {
      const rows = `<row r="1">${value('A1')}</row><row r="2"><c r="A2" s="0"><v>${number}</v></c></row>`;
      const book = `<workbook><workbookPr date1904="${epoch}"/><sheets><sheet name="rows" sheetId="1" r:id="rId1"/></sheets></workbook>`;
      const workbook = await workbookWith(sheetOf(rows), undefined, {
        [STYLES]: stylesOf(code),
        'xl/workbook.xml': book,
      });
      return read(workbook).replace(/^\n\{"x":"|"\}\n$/g, '');
    };
    const RELATED = { day: '46058', time: '0.3125', both: '46058.3125' };
    for (const code of [
      'yyyy-mm-dd',
      'DD/MM/YYYY;@',
      '[$-F800]dddd, mmmm dd, yyyy',
      'd\\.m\\.yy',
      'yyyymmdd',
    ])
      expect(await cell(RELATED.day, code), code).to.equal('2026-02-05');
    for (const code of ['h:mm AM/PM', '[h]:mm', 'hh:mm:ss.0'])
      expect(await cell(RELATED.time, code), code).to.equal('07:30');
    expect(await cell(RELATED.both, 'd/m/yy h:mm')).to.equal('2026-02-05 07:30');
    for (const code of [
      'General',
      '0.00',
      '#,##0_);[Red](#,##0)',
      '0.00E+00',
      '0&quot; days&quot;',
      '[$-409]#,##0.00',
    ])
      expect(await cell(RELATED.day, code), code).to.equal('46058');
    expect(await cell(String(46058 - 1462), 'yyyy-mm-dd', '1')).to.equal('2026-02-05');
    expect(await cell(RELATED.time, 'h:mm', '1')).to.equal('07:30');
    // The duration 25:30 is no time, and spreadsheets do not agree on the first days of 1900: both stay numbers.
    for (const number of ['1.0625', '-5', '1', '60', '2958466'])
      expect(await cell(number, '[h]:mm'), number).to.equal(number);
    expect(await cell('61', 'yyyy-mm-dd')).to.equal('1900-03-01');
    expect(await cell('2958465', 'yyyy-mm-dd')).to.equal('9999-12-31');
  });

  it('reads texts in pieces, with escaped characters, without readings, and in CDATA', async () => {
    const text = async (is: string): Promise<string> =>
      refusal(
        sheetOf(`<row r="1">${value('A1')}</row><row r="2"><c r="A2" t="inlineStr"><is>${is}</is></c></row>`),
      );
    expect(await text('<r><t>a</t></r><r><t xml:space="preserve"> b</t></r>')).to.equal('\n{"x":"a b"}\n');
    expect(await text('<t>a_x000D_&amp;&#x62;</t>')).to.equal('\n{"x":"a\\r&b"}\n');
    expect(await text('<t>課</t><rPh sb="0" eb="1"><t>カ</t></rPh>')).to.equal('\n{"x":"課"}\n');
    expect(await text('<t><![CDATA[1 < 2]]></t>')).to.equal('\n{"x":"1 < 2"}\n');
  });
});
