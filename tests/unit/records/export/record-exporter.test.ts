import { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import {
  UpstreamInvalidError,
  UpstreamUnavailableError,
} from '../../../../src/domain/errors/upstream-errors.js';
import { RecordExporter, type ExportRequest } from '../../../../src/records/export/record-exporter.js';
import { KeptText } from '../../../support/kept-text.js';
import { rejection } from '../../../support/rejection.js';
import { brokenAfter, FakeProject, recordsOf, type Fault } from '../../../support/fake-project.js';

const FORMATS = ['json', 'ndjson', 'csv'] as const;
const LIMITS = { retryBaseMs: 0 };

describe('RecordExporter', () => {
  const rows = recordsOf(20, { note: 'said "x",\nthen left' });
  const expected = {
    json: JSON.stringify({ data: rows }),
    ndjson: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    csv: String(new FakeProject(rows).answerTo({ format: 'csv' })),
  };

  for (const format of FORMATS) {
    for (const batchSize of [undefined, 1, 7, 20]) {
      it(`writes ${format} with batch size ${batchSize ?? 'unset'}`, async () => {
        const sink = new KeptText();
        const body = await exporterOf(new FakeProject(rows, undefined, 11)).open({ format, batchSize });

        await body.pipeTo(sink);

        expect(sink.text).to.equal(expected[format]);
        expect(sink.writableFinished).to.equal(true);
      });
    }

    it(`writes an empty ${format} export`, async () => {
      const whole = await textOf(new FakeProject([]), { format });
      const batched = await textOf(new FakeProject([]), { format, batchSize: 5 });

      expect([whole.trim(), batched.trim()]).to.deep.equal(
        Array(2).fill(format === 'json' ? '{"data":[]}' : ''),
      );
    });

    // The first row of NDJSON is awaited, so a loss in it is the failure of `open` (below).
    for (const share of format === 'ndjson' ? [0.5, 0.99] : [0.01, 0.5, 0.99]) {
      it(`STR-01: destroys the ${format} sink, and never ends it, when REDCap's answer is truncated at ${share * 100} %`, async () => {
        const sink = new KeptText();
        const client = new FakeProject(rows, (answer) =>
          brokenAfter(
            answer.subarray(0, Math.ceil(answer.length * share)),
            new UpstreamUnavailableError('body'),
          ),
        );
        const body = await exporterOf(client).open({ format, trailer: format === 'ndjson' });

        const error = await rejection(body.pipeTo(sink));

        expect(error).to.include({ code: 'upstream_unavailable', phase: 'body' });
        expect(sink).to.include({ destroyed: true, writableFinished: false });
        expect(sink.text).to.not.include('_complete');
      });
    }

    for (const batchSize of [undefined, 5]) {
      it(`STR-04: cancels REDCap's answer when a ${format} reader leaves (batch size ${batchSize ?? 'unset'})`, async () => {
        const silent = new Readable({ read: () => undefined });
        const stall: Fault = (answer, call) => {
          if (call !== (batchSize === undefined ? 0 : 2)) return answer;
          silent.push(answer.subarray(0, 100));
          return silent;
        };
        const sink = new KeptText();
        const body = await exporterOf(new FakeProject(rows, stall)).open({ format, batchSize });
        const failure = rejection(body.pipeTo(sink));
        await sink.firstWrite;

        sink.destroy();
        const error = await failure;
        await setImmediate();

        expect(error).to.have.property('code', 'cancelled');
        expect(silent.destroyed).to.equal(true);
      });
    }

    it(`LIB-01: ends a batched ${format} export with a stalled reader when the signal aborts`, async () => {
      const controller = new AbortController();
      const sink = new Writable({ highWaterMark: 1, write: () => undefined });
      const { signal } = controller;
      const body = await exporterOf(new FakeProject(rows)).open({ format, batchSize: 1 }, { signal });
      const failure = rejection(body.pipeTo(sink));
      for (let turn = 0; turn < 200; turn++) await setImmediate();

      controller.abort();

      expect(await failure).to.have.property('code', 'cancelled');
      expect(sink.destroyed).to.equal(true);
    });

    it(`STR-03: stops reading REDCap's answer while a ${format} reader is stalled`, async () => {
      const upstream = new Endless(format === 'csv' ? 'csv' : 'json');
      const sink = new Writable({ write: () => undefined });
      const body = await exporterOf(new FakeProject([], () => upstream)).open({ format });

      const failure = rejection(body.pipeTo(sink));
      for (let turn = 0; turn < 200; turn++) await setImmediate();
      const held = upstream.givenBytes;
      sink.destroy();
      await failure;

      expect(held).to.be.lessThan(1024 * 1024);
    });
  }

  it('STR-01: ends a complete NDJSON export with its number of lines, with and without batches', async () => {
    const whole = await textOf(new FakeProject(rows), { format: 'ndjson', trailer: true });
    const batched = await textOf(new FakeProject(rows), { format: 'ndjson', trailer: true, batchSize: 6 });

    expect(whole).to.equal(`${expected.ndjson}{"_complete":true,"records":20}\n`);
    expect(batched).to.equal(whole);
  });

  it('STR-02: rejects only the export that fails between opening and writing', async () => {
    const upstream = new Readable({ read: () => undefined });
    upstream.push('[');
    const body = await exporterOf(new FakeProject([], () => upstream)).open({ format: 'json' });

    upstream.destroy(new UpstreamUnavailableError('body'));
    await setImmediate();
    const sink = new KeptText();
    const error = await rejection(body.pipeTo(sink));

    expect(error).to.have.property('code', 'upstream_unavailable');
    expect(sink.destroyed).to.equal(true);
  });

  it('rejects before writing if the first bytes do not arrive', async () => {
    const client = new FakeProject(rows, () =>
      brokenAfter(Buffer.alloc(0), new UpstreamInvalidError('HTML.')),
    );

    const error = await rejection(exporterOf(client).open({ format: 'json' }));

    expect(error).to.have.property('code', 'upstream_invalid');
  });

  for (const limit of [undefined, 5]) {
    for (const [what, body, code] of [
      ['is truncated within its first row', '[{"record_id":"1', 'upstream_unavailable'],
      ['has no object as its first row', '[1,2]', 'upstream_invalid'],
      ['is not closed', '[', 'upstream_invalid'],
    ] as const) {
      it(`rejects before writing if an NDJSON export ${what} (limit ${limit ?? 'unset'})`, async () => {
        const client = new FakeProject(rows, () =>
          code === 'upstream_invalid'
            ? Buffer.from(body)
            : brokenAfter(Buffer.from(body), new UpstreamUnavailableError('body')),
        );

        const error = await rejection(exporterOf(client).open({ format: 'ndjson', limit }));

        expect(error).to.have.property('code', code);
        expect(client.bodies[0]).to.have.property('destroyed', true);
      });
    }
  }

  for (const format of FORMATS) {
    it(`continues in batches when REDCap runs out of memory (${format})`, async () => {
      const client = new FakeProject(rows, (answer, call) => {
        if (call === 0) throw new UpstreamInvalidError('Out.', { isOutOfMemory: true });
        return answer;
      });

      expect(await textOf(client, { format })).to.equal(expected[format]);
    });
  }

  it('rejects a batched export before writing if the first batch is missing', async () => {
    const client = new FakeProject(rows, (answer, call) => (call === 0 ? answer : Buffer.from('[]')));

    const error = await rejection(exporterOf(client).open({ format: 'json', batchSize: 5 }));

    expect(error).to.have.property('code', 'incomplete_export');
    expect(error['missing']).to.have.length(5);
  });

  for (const format of FORMATS) {
    it(`cancels REDCap's answer when an open ${format} export is cancelled`, async () => {
      const endless = new Endless(format === 'csv' ? 'csv' : 'json');
      const body = await exporterOf(new FakeProject([], () => endless)).open({ format });

      body.cancel();
      await setImmediate();

      expect(endless.destroyed).to.equal(true);
    });
  }

  it('STR-05: neutralizes CSV formulas on request, with and without batches, and never by default', async () => {
    const risky = recordsOf(20, { note: '=1+1', amount: '-1.5', phone: '+49 30 1' });
    const raw = String(new FakeProject(risky).answerTo({ format: 'csv' }));
    const safe = raw.replaceAll('=1+1', "'=1+1").replaceAll('+49', "'+49");
    expect(safe).not.to.equal(raw);

    for (const batchSize of [undefined, 6]) {
      const request = { format: 'csv', batchSize } as const;
      const client = (): FakeProject => new FakeProject(risky, undefined, 17);
      expect(await textOf(client(), request)).to.equal(raw);
      expect(await textOf(client(), { ...request, spreadsheetSafe: true })).to.equal(safe);
    }
  });

  it('accepts spreadsheetSafe only for CSV', async () => {
    const error = await rejection(
      exporterOf(new FakeProject([])).open({ format: 'json', spreadsheetSafe: true }),
    );

    expect(error).to.have.nested.property('errors[0].field', 'spreadsheetSafe');
  });

  it('accepts a trailer only for NDJSON', async () => {
    const error = await rejection(exporterOf(new FakeProject([])).open({ format: 'csv', trailer: true }));

    expect(error).to.have.property('code', 'invalid_request');
  });
});

function exporterOf(client: FakeProject): RecordExporter {
  return new RecordExporter(client, LIMITS);
}

async function textOf(client: FakeProject, request: ExportRequest): Promise<string> {
  const sink = new KeptText();
  await (await exporterOf(client).open(request)).pipeTo(sink);
  return sink.text;
}

/** An endless export that counts the bytes read from it. */
class Endless extends Readable {
  givenBytes = 0;
  readonly #row: string;

  constructor(format: 'json' | 'csv') {
    super({ highWaterMark: 64 * 1024 });
    const value = 'x'.repeat(1000);
    this.#row = format === 'json' ? `{"record_id":"${value}"},` : `${value}\n`;
    this.push(format === 'json' ? '[' : 'record_id\n');
  }

  override _read(): void {
    const chunk = Buffer.from(this.#row.repeat(32));
    this.givenBytes += chunk.length;
    this.push(chunk);
  }
}
