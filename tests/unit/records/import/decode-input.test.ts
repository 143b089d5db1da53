import { expect } from 'chai';
import { RecordWriter } from '../../../../src/services/record-writer.js';
import { rejection } from '../../../support/rejection.js';
import { id, ImportProject, write } from '../../../support/import-project.js';

const TEXT = `record_id;note\n${id(1)};Zoë – “€”\n`;
const UTF16LE = Buffer.from(TEXT, 'utf16le');
const UTF16BE = Buffer.from(UTF16LE).swap16();
/** The Windows-1252 bytes of `“ € ” – ë`. */
const WINDOWS = Buffer.from(
  TEXT.replace('ë', '\u00eb').replace('–', '\u0096').replace('“', '\u0093').replace('”', '\u0094').replace('€', '\u0080'),
  'latin1',
); // prettier-ignore

describe('The encoding of an import', () => {
  let project: ImportProject;
  let writer: RecordWriter;

  beforeEach(() => {
    project = new ImportProject();
    writer = new RecordWriter(project);
  });

  for (const [encoding, body] of [
    ['utf-16le', UTF16LE],
    ['utf-16le', Buffer.concat([Buffer.from([0xff, 0xfe]), UTF16LE])],
    ['utf-16be', UTF16BE],
    ['utf-16be', Buffer.concat([Buffer.from([0xfe, 0xff]), UTF16BE])],
  ] as const) {
    it(`reads ${encoding} if specified, and otherwise names it in the refusal (${body.length} bytes)`, async () => {
      const error = await rejection(write(writer, body, { format: 'csv', inputName: 'file' }));
      expect(error).to.include({ code: 'malformed_request' });
      expect(error.message).to.match(
        new RegExp(`^The file is UTF-16 .* give its encoding \\(${encoding}\\)\\.$`),
      );

      for (const size of [1, 7, body.length]) {
        const target = new ImportProject();
        const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
          body.subarray(at * size, (at + 1) * size),
        );
        await write(new RecordWriter(target), pieces, { format: 'csv', encoding });
        expect(target.rows).to.deep.equal([{ record_id: id(1), note: 'Zoë – “€”' }]);
      }
    });
  }

  it('reads Windows-1252 if specified, and otherwise names it and the line in the refusal', async () => {
    const error = await rejection(write(writer, WINDOWS, { format: 'csv' }));
    expect(error.message).to.match(/^Record number 1 of the body \(line 2\) is not UTF-8: .*windows-1252/);

    await write(writer, WINDOWS, { format: 'csv', encoding: 'windows-1252' });
    expect(project.rows).to.deep.equal([{ record_id: id(1), note: 'Zoë – “€”' }]);
  });

  for (const [what, bytes] of [
    ['a workbook of Excel', Buffer.from('PK\x03\x04\x14\x00\x06\x00')],
    ['a workbook of an old Excel', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])],
  ] as const)
    it(`refuses ${what}, and says what to do`, async () => {
      const error = await rejection(write(writer, bytes, { format: 'csv', inputName: 'file' }));

      expect(error).to.include({ code: 'malformed_request' });
      expect(error.message).to.equal(
        'The file is a workbook, as of Excel, not text: save its sheet as CSV in UTF-8.',
      );
    });

  it('refuses a body that does not match the specified encoding', async () => {
    const error = await rejection(
      write(writer, Buffer.from([0x61, 0x00, 0x00, 0xd8]), { format: 'csv', encoding: 'utf-16le' }),
    );

    expect(error.message).to.equal('The body is not UTF-16 (little endian), as its encoding says.');
  });
});
