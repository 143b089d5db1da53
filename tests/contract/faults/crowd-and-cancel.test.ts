import { expect } from 'chai';
import { ManualClock } from '../../support/manual-clock.js';
import { turnsUntil } from '../../support/turns-until.js';
import type { Fault } from '../../support/fault-server.js';
import { printed } from '../../support/printed.js';
import { rejection } from '../../support/rejection.js';
import { EXPORTS, SENTINEL_TOKEN, bareClient, download, withFaults } from '../../support/fault-client.js';

const VERSION: Fault = { kind: 'answer', body: '16.1.9' };
/** The number of event-loop turns considered immediate: enough for streams to close, too few for a timer. */
const FEW_TURNS = 10;

describe('A crowd of calls', () => {
  it('UP-05: runs at most 8 of 1,000 calls at once, and serves a second caller', async () => {
    let openGate: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (openGate = resolve));
    await withFaults(
      // The eighth call opens the gate; until then, all of them are pending.
      async (_, index) => {
        if (index === 7) openGate();
        return gate.then(() => VERSION);
      },
      async ({ client, server }) => {
        const crowd = Array.from({ length: 1_000 }, () =>
          client.getVersion({ caller: 'crowd' }).then(
            () => 'served',
            (error: unknown) => error,
          ),
        );
        const other = client.getVersion({ caller: 'other' });
        const outcomes = await Promise.all(crowd);

        expect(await other).to.equal('16.1.9');
        expect(server.peak()).to.equal(8);
        expect(outcomes.filter((outcome) => outcome === 'served')).to.have.length(8 + 64 - 1);
        const refused = outcomes.filter((outcome) => outcome !== 'served');
        expect(refused.map((error) => (error as { code: string }).code)).to.satisfy((codes: string[]) =>
          codes.every((code) => code === 'overloaded'),
        );
        expect(refused[0]).to.have.property('retryAfterSeconds', 2);
      },
      { timeouts: { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000 } },
    );
  });

  it('UP-05: is limited to the configured calls a minute', async () => {
    await withFaults(
      () => VERSION,
      async ({ client, server }) => {
        const outcomes = [];
        for (let call = 0; call < 20; call += 1)
          outcomes.push(await client.getVersion().catch(() => 'refused'));

        expect(server.requests).to.have.length(12);
        expect(outcomes.filter((outcome) => outcome === 'refused')).to.have.length(8);
      },
      { resilience: { callsPerMinute: 12 } },
    );
  });

  it('UP-05: includes a stream until it has ended or is destroyed', async () => {
    await withFaults(
      ({ form }) => (form.get('content') === 'version' ? VERSION : { kind: 'answer', body: EXPORTS.json }),
      async ({ client }) => {
        const stream = await client.openRecords({ format: 'json' });
        expect(await rejection(client.getVersion())).to.have.property('code', 'overloaded');
        stream.destroy();
        await new Promise((resolve) => stream.once('close', resolve));

        expect(await client.getVersion()).to.equal('16.1.9');
      },
      { resilience: { concurrency: 1, queueWaitMs: 30 } },
    );
  });

  it('UP-06: is refused immediately after consecutive failures, without sending anything', async () => {
    await withFaults(
      () => ({ kind: 'answer', status: 500 }),
      async ({ client, server }) => {
        for (let call = 0; call < 4; call += 1) await rejection(client.getVersion());
        const refused = rejection(client.getVersion());

        expect(await turnsUntil(refused)).to.be.at.most(1);
        const error = await refused;
        expect(error).to.include({ code: 'upstream_unavailable', phase: 'circuit open' });
        expect(server.requests).to.have.length(4);
      },
      { resilience: { breakerFailures: 4 } },
    );
  });

  it('UP-06: does not open the circuit by refusals', async () => {
    await withFaults(
      () => ({ kind: 'answer', status: 403, body: '{"error":"x"}' }),
      async ({ client, server }) => {
        for (let call = 0; call < 20; call += 1) await rejection(client.getVersion());
        expect(server.requests).to.have.length(20);
      },
      { resilience: { breakerFailures: 4 } },
    );
  });
});

describe('A call that is cancelled', () => {
  /** Aborts once the server has the request, and counts the turns of the event loop until the rejection. */
  async function turnsToEnd(
    call: (signal: AbortSignal) => Promise<unknown>,
    aborting: Promise<unknown>,
  ): Promise<number> {
    const controller = new AbortController();
    const rejected = rejection(call(controller.signal));
    await aborting;
    controller.abort();
    const turns = await turnsUntil(rejected);
    expect(await rejected).to.have.property('code', 'cancelled');
    return turns;
  }

  for (const [phase, fault] of [
    ['before the first byte', { kind: 'hang', at: 'head' }],
    ['in the body', { kind: 'hang', at: 'body', body: EXPORTS.json, fraction: 0.5 }],
  ] as readonly (readonly [string, Fault])[]) {
    for (const form of ['rows', 'stream'] as const) {
      it(`LIB-01: ends ${form} immediately ${phase}, and closes the connection`, async () => {
        let arrived: () => void = () => undefined;
        const arrival = new Promise<void>((resolve) => (arrived = resolve));
        await withFaults(
          () => {
            setImmediate(arrived);
            return fault;
          },
          async ({ client, server }) => {
            const closed = server.nextClose();
            const read = async (signal: AbortSignal): Promise<unknown> =>
              form === 'rows'
                ? client.exportRecords({ signal })
                : (await client.openRecords({ format: 'json', signal })).toArray();

            expect(await turnsToEnd(read, arrival)).to.be.at.most(FEW_TURNS);
            await closed;
          },
          { timeouts: { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000 } },
        );
      });
    }
  }

  it('LIB-01: ends a pause before a retry immediately', async () => {
    const clock = new ManualClock();
    await withFaults(
      () => ({ kind: 'answer', status: 503, headers: { 'retry-after': '4' } }),
      async ({ client, server }) => {
        const pause = clock.alarm((inMs) => inMs === 4_000);
        const end = turnsToEnd((signal) => client.getVersion({ signal }), pause);

        expect(await end).to.be.at.most(FEW_TURNS);
        expect(clock.pending).to.deep.equal([]);
        expect(server.requests).to.have.length(1);
      },
      { clock, timeouts: { connectMs: 1, firstByteMs: 2, idleMs: 3 }, resilience: { maxRetries: 2 } },
    );
  });

  it('LIB-01: sends nothing if the signal is already aborted', async () => {
    await withFaults(
      () => VERSION,
      async ({ client, server }) => {
        const signal = AbortSignal.abort();
        expect(await rejection(client.getVersion({ signal }))).to.have.property('code', 'cancelled');
        expect(await rejection(client.openRecords({ format: 'csv', signal }))).to.have.property(
          'code',
          'cancelled',
        );
        expect(server.requests).to.deep.equal([]);
      },
    );
  });

  it('LIB-01: is cancelled, like any later call, when the client is closed', async () => {
    let arrived: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    await withFaults(
      () => {
        arrived();
        return { kind: 'hang', at: 'head' };
      },
      async ({ client }) => {
        const waiting = rejection(client.getVersion());
        await arrival;
        client.close();

        expect(await waiting).to.have.property('code', 'cancelled');
        expect(await rejection(client.getVersion())).to.have.property('code', 'cancelled');
      },
    );
  });
});

describe('Secrets', () => {
  const faults: readonly (readonly [string, Fault])[] = [
    ['a refusal', { kind: 'answer', status: 403, body: `{"error":"${SENTINEL_TOKEN}"}` }],
    ['a rejection', { kind: 'answer', status: 400, body: `{"error":"${SENTINEL_TOKEN}"}` }],
    ['a server error', { kind: 'answer', status: 500, body: SENTINEL_TOKEN }],
    ['a web page', { kind: 'answer', body: `<html>${SENTINEL_TOKEN}</html>` }],
    ['a reset', { kind: 'reset' }],
    ['a cut', { kind: 'cut', body: EXPORTS.json, fraction: 0.5 }],
    ['silence', { kind: 'hang', at: 'head' }],
    ['silence in the body', { kind: 'hang', at: 'body', body: EXPORTS.json, fraction: 0.5 }],
  ];

  for (const [what, fault] of faults) {
    it(`LIB-02: are not shown in the error of ${what}`, async () => {
      await withFaults(
        () => fault,
        async ({ client, server }) => {
          const error = await rejection(
            client.exportRecords({ filterLogic: `[name] = '${SENTINEL_TOKEN}'` }),
          );
          const everything = printed(error) + JSON.stringify(error) + error.stack;

          expect(everything).to.not.match(new RegExp(SENTINEL_TOKEN, 'i'));
          expect(error).to.include.keys('code', 'requestId', 'retryAfterSeconds');
          expect(server.requests[0]?.form.get('token')).to.equal(SENTINEL_TOKEN);
        },
      );
    });
  }

  it('LIB-02: are not shown in the error of a closed port', async () => {
    const client = bareClient('http://127.0.0.1:1/api/');
    const error = await rejection(client.getVersion());

    expect(error).to.include({ code: 'upstream_unavailable', phase: 'connect' });
    expect(error.cause).to.deep.equal({ code: 'ECONNREFUSED' });
    expect(printed(error)).to.not.include(SENTINEL_TOKEN);
    client.close();
  });

  it('LIB-02: are not shown when a client or a stream is inspected', async () => {
    await withFaults(
      () => ({ kind: 'answer', body: EXPORTS.json }),
      async ({ client }) => {
        const stream = await client.openRecords({ format: 'json' });
        const everything = printed([client, stream]);
        await download(client, 'json');
        stream.destroy();

        expect(everything).to.not.include(SENTINEL_TOKEN);
      },
    );
  });
});
