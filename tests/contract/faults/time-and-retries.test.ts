import { expect } from 'chai';
import net, { type AddressInfo } from 'node:net';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { LoopClock } from '../../support/loop-clock.js';
import { ManualClock } from '../../support/manual-clock.js';
import type { Fault } from '../../support/fault-server.js';
import { rejection } from '../../support/rejection.js';
import { BARE, download, EXPORTS, SENTINEL_TOKEN, withFaults } from '../../support/fault-client.js';

const VERSION: Fault = { kind: 'answer', body: '16.1.9' };
const RETRYING = { resilience: { maxRetries: 2, retryBaseMs: 1 } };
/** The defaults for each stage are no longer than this, so a longer wait is a pause or the total time. */
const LONGEST_STAGE_MS = 30_000;

describe('Time limits', () => {
  it('UP-03: end a connection attempt that takes too long', async () => {
    // A TLS client that waits for a server that never answers its first message: connected, but not ready.
    const sockets: net.Socket[] = [];
    const server = net.createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `https://127.0.0.1:${port}/api/`;
    const client = createCrfClient({ url, token: SENTINEL_TOKEN, ...BARE, clock: new LoopClock() });

    expect(await rejection(client.getVersion())).to.include({
      code: 'upstream_timeout',
      phase: 'connect',
      status: 504,
    });

    client.close();
    sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => server.close(resolve));
  });

  it('UP-03: end a call whose first byte does not arrive', async () => {
    await withFaults(
      () => ({ kind: 'hang', at: 'head' }),
      async ({ client }) => {
        expect(await rejection(client.getVersion())).to.include({
          code: 'upstream_timeout',
          phase: 'first byte',
        });
      },
    );
  });

  for (const [name, read] of [
    ['rows', (client) => client.exportRecords()],
    ['a stream', (client) => download(client, 'json')],
  ] as readonly (readonly [string, (client: Parameters<typeof download>[0]) => Promise<unknown>])[]) {
    for (const fraction of [0, 0.01, 0.5, 0.99]) {
      it(`UP-03: end ${name} that stall at ${fraction * 100} %`, async () => {
        const fault: Fault = { kind: 'hang', at: 'body', body: EXPORTS.json, fraction };
        await withFaults(
          () => fault,
          async ({ client }) => {
            expect(await rejection(read(client))).to.include({ code: 'upstream_timeout', phase: 'idle' });
          },
        );
      });
    }
  }

  it('do not blame REDCap for a slow reader', async () => {
    const body = JSON.stringify(
      Array.from({ length: 60_000 }, (_, index) => ({ record_id: String(index).padStart(50) })),
    );
    await withFaults(
      () => ({ kind: 'answer', body }),
      async ({ client, clock }) => {
        const stream = await client.openRecords({ format: 'json' });
        // Three times the idle limit: the pause itself is under test.
        await new Promise<void>((resolve) => void clock.schedule(450, resolve));
        let length = 0;
        for await (const chunk of stream) length += (chunk as Buffer).length;

        expect(length).to.equal(body.length);
      },
    );
  });

  it('UP-03: include one total time across all retries', async () => {
    const config = { resilience: { maxRetries: 2, retryBaseMs: 1, totalMs: 250 } };
    await withFaults(
      () => ({ kind: 'hang', at: 'head' }),
      async ({ client, clock, server }) => {
        const start = clock.now();
        expect(await rejection(client.getVersion())).to.include({
          code: 'upstream_timeout',
          phase: 'total',
        });
        expect(clock.now() - start).to.equal(250);
        expect(server.requests).to.have.length(2);
      },
      config,
    );
  });
});

describe('Retries', () => {
  it('UP-04: repeat a read that fails with 500', async () => {
    await withFaults(
      (_, index) => (index === 0 ? { kind: 'answer', status: 500 } : VERSION),
      async ({ client, server }) => {
        expect(await client.getVersion()).to.equal('16.1.9');
        expect(server.requests).to.have.length(2);
      },
      RETRYING,
    );
  });

  it('UP-04: repeat a stream until its first bytes have arrived', async () => {
    await withFaults(
      (_, index) => (index < 2 ? { kind: 'reset' } : { kind: 'answer', body: EXPORTS.csv }),
      async ({ client }) => {
        expect((await download(client, 'csv')).toString()).to.equal(EXPORTS.csv);
      },
      RETRYING,
    );
  });

  it('UP-04: do not repeat a stream after its first bytes', async () => {
    await withFaults(
      () => ({ kind: 'cut', body: EXPORTS.json, fraction: 0.5 }),
      async ({ client, server }) => {
        await rejection(download(client, 'json'));
        expect(server.requests).to.have.length(1);
      },
      RETRYING,
    );
  });

  it('UP-04: try a read at most three times', async () => {
    await withFaults(
      () => ({ kind: 'answer', status: 503 }),
      async ({ client, server }) => {
        expect(await rejection(client.getVersion())).to.have.property('code', 'upstream_unavailable');
        expect(server.requests).to.have.length(3);
      },
      RETRYING,
    );
  });

  it('UP-04: stop when their budget is used up', async () => {
    await withFaults(
      () => ({ kind: 'answer', status: 500 }),
      async ({ client, server }) => {
        for (let call = 0; call < 50; call += 1) await rejection(client.getVersion());
        expect(server.requests.length).to.be.within(50, 50 + 10 + 5);
      },
      { resilience: { maxRetries: 2, retryBaseMs: 1, breakerFailures: 0 } },
    );
  });

  for (const [name, call] of [
    ['an import', (client) => client.importRecords([{ record_id: 'a' }], { check: false })],
    [
      'an import that numbers records',
      (client) =>
        client.importRecords([{ record_id: '1' }], {
          check: false,
          forceAutoNumber: true,
          isIdempotent: true,
        }),
    ],
    ['a deletion', (client) => client.records.delete(['a'])],
  ] as readonly (readonly [string, (client: Parameters<typeof download>[0]) => Promise<unknown>])[]) {
    it(`UP-04: do not apply to ${name}`, async () => {
      await withFaults(
        () => ({ kind: 'answer', status: 500 }),
        async ({ client, server }) => {
          expect(await rejection(call(client))).to.have.property('code', 'upstream_unavailable');
          expect(server.requests).to.have.length(1);
        },
        RETRYING,
      );
    });
  }

  it('UP-04: repeat an import that its caller marks as repeatable', async () => {
    await withFaults(
      (_, index) => (index === 0 ? { kind: 'reset' } : { kind: 'answer', body: '{"count":1}' }),
      async ({ client, server }) => {
        expect(
          await client.importRecords([{ record_id: 'a' }], { check: false, isIdempotent: true }),
        ).to.deep.equal({
          count: 1,
        });
        expect(server.requests).to.have.length(2);
      },
      RETRYING,
    );
  });

  for (const status of [400, 403, 404]) {
    it(`UP-04: do not apply to status ${status}`, async () => {
      await withFaults(
        () => ({ kind: 'answer', status, body: '{"error":"x"}' }),
        async ({ client, server }) => {
          await rejection(client.getVersion());
          expect(server.requests).to.have.length(1);
        },
        RETRYING,
      );
    });
  }

  for (const [form, header] of [
    ['seconds', () => '100'],
    ['a date', () => new Date(Date.now() + 100_000).toUTCString()],
  ] as const) {
    it(`UP-04: wait as long as Retry-After requests, as ${form}`, async () => {
      const clock = new ManualClock();
      await withFaults(
        (_, index) =>
          index === 0 ? { kind: 'answer', status: 429, headers: { 'retry-after': header() } } : VERSION,
        async ({ client, server }) => {
          const version = client.getVersion();
          // The total time is a pending alarm too; the pause is the shorter one.
          const pause = await clock.alarm((inMs) => inMs > LONGEST_STAGE_MS && inMs <= 100_000);
          if (form === 'seconds') expect(pause).to.equal(100_000);
          await clock.advance(pause - 1);
          expect(server.requests, 'a moment before').to.have.length(1);

          await clock.advance(1);
          expect(await version).to.equal('16.1.9');
        },
        { resilience: { ...RETRYING.resilience, retryMaxMs: 100_000 }, timeouts: {}, clock },
      );
    });
  }

  for (const [status, asked] of [
    [429, 30],
    [503, 6],
    [503, 3600],
  ] as const)
    it(`UP-04: tell at once how long a ${status} with Retry-After: ${asked} takes, beyond the longest pause`, async () => {
      await withFaults(
        () => ({ kind: 'answer', status, headers: { 'retry-after': String(asked) } }),
        async ({ client, server }) => {
          const error = await rejection(client.getVersion());
          expect(error).to.include({ code: 'upstream_unavailable', retryAfterSeconds: asked });
          expect(server.requests).to.have.length(1);
        },
        RETRYING,
      );
    });

  it('UP-04: wait longer in the middle of an import, whose first rows are stored', async () => {
    const clock = new ManualClock();
    await withFaults(
      (_, index) =>
        index === 0
          ? { kind: 'answer', status: 429, headers: { 'retry-after': '30' } }
          : { kind: 'answer', body: '{"count":1}' },
      async ({ client }) => {
        const part = { format: 'json', isIdempotent: true, isContinuation: true } as const;
        const imported = client.importData('[{"record_id":"2"}]', part);
        await clock.alarm((inMs) => inMs === 30_000);
        await clock.advance(30_000);

        expect(await imported).to.have.property('count', 1);
      },
      { ...RETRYING, timeouts: { firstByteMs: 20_000 }, clock },
    );
  });

  it('replace a kept connection that the server has closed once, without counting as a retry', async () => {
    await withFaults(
      (_, index) => (index === 1 ? { kind: 'reset' } : VERSION),
      async ({ client, server }) => {
        await client.getVersion();
        expect(await client.getVersion()).to.equal('16.1.9');
        expect(server.requests).to.have.length(3);
      },
    );
  });

  it('do not repeat a write on a stale connection', async () => {
    await withFaults(
      (_, index) => (index === 1 ? { kind: 'reset' } : VERSION),
      async ({ client, server }) => {
        await client.getVersion();
        expect(await rejection(client.records.delete(['a']))).to.have.property(
          'code',
          'upstream_unavailable',
        );
        expect(server.requests).to.have.length(2);
      },
    );
  });
});
