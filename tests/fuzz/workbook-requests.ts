import fc from 'fast-check';
import { strToU8, unzipSync, zipSync } from 'fflate';
import writeXlsxFile from 'write-excel-file/node';
import type { FuzzRequest } from './fuzz-request.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SHEET = 'xl/worksheets/sheet1.xml';
const PARTS = ['xl/sharedStrings.xml', 'xl/styles.xml', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels'];
/** Most often the sheet: without the others, nothing of a workbook is read. */
const PART = fc.oneof({ arbitrary: fc.constant(SHEET), weight: 6 }, fc.constantFrom(...PARTS));
const NAMES = [
  'worksheet',
  'sheetData',
  'row',
  'c',
  'v',
  'is',
  't',
  'r',
  'rPh',
  'si',
  'sst',
  'f',
  'x:c',
  'numFmt',
  'xf',
  'cellXfs',
  'sheet',
  'a'.repeat(300),
];
/** A few, as people have them, or very many. */
const COUNT = fc.oneof(fc.nat(20), fc.constantFrom(64, 65, 129, 5_000, 50_000, 1_000_000, 4_000_000));
const TEXT = fc.oneof(
  { arbitrary: fc.string({ maxLength: 20 }).map((text) => text.replace(/[<&]/g, '')), weight: 8 },
  fc.constantFrom(
    '&amp;',
    '&lt;',
    '&x;',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<!DOCTYPE a>',
    '<?a',
    '_x000D_',
    '"',
    '1e999',
    '46058',
    '#N/A',
  ),
);
const ATTRIBUTE = fc
  .tuple(
    fc.constantFrom('r', 's', 't', 'x:r', 'numFmtId', 'formatCode', 'name', 'r:id', 'date1904'),
    fc.oneof(
      TEXT,
      fc.constantFrom(
        'A1',
        'XFD1048576',
        'ZZZ9999999',
        '999999999',
        's',
        'b',
        'd',
        'e',
        'str',
        'inlineStr',
        '-1',
        '0',
      ),
    ),
  )
  .map(([name, value]) => ` ${name}="${value.replace(/[<"]/g, '')}"`);

const UNBALANCED = fc.oneof(
  fc
    .tuple(fc.constantFrom(...NAMES), fc.array(ATTRIBUTE, { maxLength: 3 }))
    .map(([name, given]) => `<${name}${given.join('')}>`),
  fc.constantFrom(...NAMES).map((name) => `</${name}>`),
  fc.tuple(fc.constantFrom(...NAMES), COUNT).map(([name, count]) => repeated(`<${name}>`, count)),
);

/** XML of the names that a workbook has, with much of one thing. */
const XML: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc
        .tuple(fc.constantFrom(...NAMES), fc.array(ATTRIBUTE, { maxLength: 4 }), TEXT)
        .map(([name, given, text]) => `<${name}${given.join('')}>${text}</${name}>`),
      UNBALANCED,
      fc.tuple(fc.constantFrom(...NAMES), COUNT).map(([name, count]) => repeated(`<${name}/>`, count)),
      fc
        .tuple(fc.constantFrom('[', '"', '\\', 'y', '&amp;', ' ', 'ä', '-', ']'), COUNT)
        .map(([sign, count]) => `<numFmt numFmtId="170" formatCode="${repeated(sign, count)}"/>`),
      COUNT.map((count) => `<c ${manyAttributes(Math.min(count, 100_000))}/>`),
      fc.tuple(COUNT, fc.nat(2000)).map(([count, length]) => namesAlike(Math.min(count, 10_000), length)),
      COUNT.map((count) => `<row r="2">${repeated('<c t="s"><v>0</v></c>', Math.min(count, 200_000))}</row>`),
      fc.tuple(TEXT, COUNT).map(([text, count]) => `<t>${repeated(text, count)}</t>`),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => `<worksheet><sheetData>${pieces.join('')}</sheetData></worksheet>`);

function repeated(text: string, count: number): string {
  return text.repeat(Math.min(count, Math.floor(12_000_000 / Math.max(1, text.length))));
}

function manyAttributes(count: number): string {
  return Array.from({ length: count }, (_, at) => `a${at}=""`).join(' ');
}

function namesAlike(count: number, length: number): string {
  const start = 'x'.repeat(Math.min(length, 5_000_000 / Math.max(1, count)));
  return `<row r="1">${Array.from({ length: count }, (_, at) => `<c t="inlineStr"><is><t>${start}${at}</t></is></c>`).join('')}</row>`;
}

const usual = await writeXlsxFile(
  [
    ['record_id', 'age', 'consent_date', 'weight_kg'],
    [
      'FUZZ-2026-PARTICIPANT-0001',
      40,
      { value: new Date('2026-03-04'), type: Date, format: 'dd/mm/yyyy' },
      80.5,
    ],
    ['FUZZ-2026-PARTICIPANT-0002', '41', null, true],
  ],
  { sheet: 'visits' },
).toBuffer();
const usualParts = unzipSync(usual);

/** Bytes that are flipped, cut out, doubled or put in. */
const EDITS = fc.array(
  fc.tuple(
    fc.constantFrom('flip', 'cut', 'double', 'fill'),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.nat(40),
    fc.oneof({ arbitrary: fc.integer({ min: 48, max: 122 }), weight: 3 }, fc.nat(255)),
  ),
  { minLength: 1, maxLength: 3 },
);

function edited(bytes: Uint8Array, edits: readonly [string, number, number, number][]): Uint8Array {
  let result = Buffer.from(bytes);
  for (const [kind, share, length, byte] of edits) {
    const at = Math.floor(share * result.length);
    if (kind === 'flip' && at < result.length) result[at] = byte;
    else if (kind === 'cut') result = Buffer.concat([result.subarray(0, at), result.subarray(at + length)]);
    else if (kind === 'double')
      result = Buffer.concat([result.subarray(0, at + length), result.subarray(at)]);
    else result = Buffer.concat([result.subarray(0, at), Buffer.alloc(length, byte), result.subarray(at)]);
  }
  return result;
}

function requestOf(workbook: Uint8Array): FuzzRequest {
  return {
    method: 'POST',
    path: '/api/v1/records?dryRun=true',
    headers: { 'content-type': XLSX },
    body: Buffer.from(workbook),
    broken: undefined,
  };
}

/** The generators of `npm run fuzz -- --workbooks`. */
export const WORKBOOK_REQUESTS = {
  /** A usual workbook, of which bytes are changed: of the archive, or of a part before it is packed. */
  bytes: fc.tuple(fc.option(PART), EDITS).map(([part, edits]) => {
    const bytes = part === null ? undefined : usualParts[part];
    if (part === null || bytes === undefined) return requestOf(edited(usual, edits));
    return requestOf(zipSync({ ...usualParts, [part]: edited(bytes, edits) }, { level: 1 }));
  }),
  /** A workbook with other XML in one or two of its parts, deep, wide or long. */
  structure: fc
    .array(fc.tuple(PART, XML), { minLength: 1, maxLength: 2 })
    .map((parts) =>
      requestOf(
        zipSync(
          { ...usualParts, ...Object.fromEntries(parts.map(([name, xml]) => [name, strToU8(xml)])) },
          { level: 6 },
        ),
      ),
    ),
} as const;
