import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { EventLoopShare } from '../../../../src/records/import/event-loop-share.js';
import { ImportPipeline } from '../../../../src/records/import/import-pipeline.js';
import type { ImportRequest } from '../../../../src/records/import/import-request.js';
import { SpareCalls } from '../../../../src/records/import/chunk-sender.js';
import { rejection } from '../../../support/rejection.js';
import { BODY_OF, FORMATS, ImportProject, rowsOf } from '../../../support/import-project.js';

const MEGABYTE = 1024 * 1024;
const PIECE = 32 * 1024;

/** Runs an import, and counts the bytes it reads: in total, and at most between two turns of the event loop. */
async function measured(body: Buffer, request: ImportRequest) {
  const reading = { all: 0, sinceYield: 0, most: 0 };
  const share = new EventLoopShare(undefined, async () => {
    reading.sinceYield = 0;
    await setImmediate();
  });
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < body.length; at += PIECE) {
      await Promise.resolve();
      const piece = body.subarray(at, at + PIECE);
      reading.all += piece.length;
      reading.sinceYield += piece.length;
      reading.most = Math.max(reading.most, reading.sinceYield);
      yield piece;
    }
  }
  const pipeline = new ImportPipeline(new ImportProject(), request, {
    limits: {},
    call: {},
    isKeyed: false,
    spareCalls: new SpareCalls(3),
    share,
  });
  return { reading, outcome: () => pipeline.run(pieces()) };
}

describe('An import yields to the event loop', () => {
  for (const format of FORMATS) {
    it(`IN-03: after every 32 KiB of valid ${format}`, async () => {
      const { reading, outcome } = await measured(Buffer.from(BODY_OF[format](rowsOf(20_000))), { format });

      expect(await outcome()).to.include({ count: 20_000 });
      expect(reading.most).to.equal(PIECE);
    });
  }

  const COLUMNS = Array.from({ length: 1_000_000 }, (_, at) => `c${at}`).join(',');
  const HOSTILE = {
    '3 MB of CR LF as CSV': ['csv', '\r\n'.repeat(1.5 * MEGABYTE)],
    'a header of a million columns': ['csv', `${COLUMNS}\n${COLUMNS}\n`],
    'a quoted header of a million columns': ['csv', `"a"${',"a"'.repeat(MEGABYTE)}\n`],
    'a row of a million cells': ['csv', `record_id,age\n${','.repeat(MEGABYTE)}\n`],
    '5 MB of empty lines as NDJSON': ['ndjson', '\n'.repeat(5 * MEGABYTE)],
    'a line of a million properties': ['ndjson', `{"a":1${',"a":1'.repeat(MEGABYTE)}}\n`],
    'a row of 2 MB': ['ndjson', `{"note":"${'x'.repeat(2 * MEGABYTE)}"}\n`],
    'a record of a million properties': ['json', `{"records":[{"a":1${',"a":1'.repeat(MEGABYTE)}}]}`],
  } as const;
  for (const [what, [format, text]] of Object.entries(HOSTILE)) {
    it(`IN-03: and refuses ${what}, after reading little more than the maximum size of a row`, async () => {
      const { reading, outcome } = await measured(Buffer.from(text), { format });

      expect(await rejection(outcome())).to.include({ code: 'malformed_request', status: 400 });
      expect(reading.most).to.equal(PIECE);
      expect(reading.all).to.be.at.most(MEGABYTE + 2 * PIECE);
    });
  }
});
