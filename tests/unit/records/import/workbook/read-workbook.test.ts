import { expect } from 'chai';
import { text } from 'node:stream/consumers';
import { zipSync, unzipSync } from 'fflate';
import writeXlsxFile, { type SheetData } from 'write-excel-file/node';
import { InputErrors } from '../../../../../src/records/import/input-errors.js';
import { readWorkbook } from '../../../../../src/records/import/workbook/read-workbook.js';
import {
  COMMAND_LIMITS,
  SERVICE_LIMITS,
} from '../../../../../src/records/import/workbook/workbook-limits.js';
import { rejection } from '../../../../support/rejection.js';

const workbookOf = (rows: SheetData): Promise<Buffer> => writeXlsxFile(rows, { sheet: 'rows' }).toBuffer();
const read = async (workbook: Uint8Array, limits = SERVICE_LIMITS): Promise<string> =>
  text((await readWorkbook(workbook, {}, new InputErrors('file'), limits)).ndjson);
const refusal = async (workbook: Uint8Array, limits = SERVICE_LIMITS): Promise<string> => {
  const error = await rejection(read(workbook, limits));
  return `${error.name}: ${error.message}`;
};

describe('readWorkbook (IN-20)', () => {
  let usual: Buffer;
  before(async () => {
    usual = await workbookOf([['record_id', 'age'], ['a', 4.5], [], ['b', null]]);
  });

  it('reads in a thread of its own, with a line for each row, and says what cannot be read', async () => {
    const [rows, damaged, absent] = await Promise.all([
      read(usual),
      refusal(usual.subarray(0, -30)),
      rejection(readWorkbook(usual, { sheet: 'x' }, new InputErrors('file'), SERVICE_LIMITS)),
    ]);
    expect(rows).to.equal('\n{"record_id":"a","age":"4.5"}\n\n{"record_id":"b","age":""}\n');
    expect(damaged).to.equal(
      'MalformedRequestError: The file is not a workbook (.xlsx) that can be read: save the sheet as CSV.',
    );
    expect(absent.message).to.equal('sheet must be the name of a sheet of the workbook: "rows".');
  });

  it('refuses a workbook of more than 20 MB unread', async () => {
    expect(await refusal(Buffer.alloc(COMMAND_LIMITS.bytes + 1), COMMAND_LIMITS)).to.include(
      'The file is a workbook of more than 20 MB: save the sheet as CSV, and import that.',
    );
  });

  it('ends what needs more memory or time than it may have, and reads the next workbook', async () => {
    const costly =
      'MalformedRequestError: The file needs more memory or time than a workbook may: save the sheet as CSV.';
    expect(await refusal(usual, { ...SERVICE_LIMITS, heapMegabytes: 5 })).to.equal(costly);
    expect(await refusal(usual, { ...SERVICE_LIMITS, seconds: 0.001 })).to.equal(costly);
    expect(await read(usual)).to.include('"age":"4.5"');
  });

  it('keeps 4 million elements inside each other out of the memory of the process', async () => {
    const nested = zipSync({
      ...unzipSync(usual),
      'xl/worksheets/sheet1.xml': Buffer.alloc(12_000_000, '<a>'),
    });
    const before = process.memoryUsage().heapUsed;
    expect(await refusal(nested)).to.equal(
      'MalformedRequestError: The file has more than 64 levels of elements, which no spreadsheet writes: save the sheet as CSV.',
    );
    expect(process.memoryUsage().heapUsed - before).to.be.lessThan(50_000_000);
  });
});
