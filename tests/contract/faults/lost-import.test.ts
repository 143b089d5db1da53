import { expect } from 'chai';
import { Readable } from 'node:stream';
import { RecordWriter } from '../../../src/services/record-writer.js';
import type { Fault, FaultServer } from '../../support/fault-server.js';
import { rejection } from '../../support/rejection.js';
import { BODY_OF, rowsOf } from '../../support/import-project.js';
import { designOf } from '../../support/import-faults.js';
import { withFaults, type FaultBench } from '../../support/fault-client.js';

const LOST: Fault = { kind: 'reset' };

/** What happens to an import whose first answer is lost, and to its retries. */
interface Scene {
  readonly name: string;
  /** What follows the lost answer; if nothing does, REDCap is gone. */
  readonly then: readonly Fault[];
  readonly resilience?: object;
  /** How often the import arrives. */
  readonly sent: number;
}

const SCENES: readonly Scene[] = [
  { name: 'REDCap is then gone', then: [], sent: 1 },
  { name: 'the circuit is then open', then: [], resilience: { breakerFailures: 1 }, sent: 1 },
  {
    name: 'REDCap is then gone, and the circuit opens',
    then: [],
    resilience: { breakerFailures: 2 },
    sent: 1,
  },
  // Without a cache, the requests for the design of the project are the first four calls of the minute.
  {
    name: 'the calls of the minute are then used up',
    then: [LOST],
    resilience: { callsPerMinute: 5 },
    sent: 1,
  },
  {
    name: 'the token is then refused',
    then: [{ kind: 'answer', status: 403, body: '{"error":"You do not have permissions to use the API"}' }],
    sent: 2,
  },
  {
    name: 'a record is locked in the meantime',
    then: [{ kind: 'answer', status: 400, body: '{"error":"A-1,age,30,\\"This record is locked\\""}' }],
    sent: 2,
  },
  { name: 'the next answer is lost too, and REDCap is gone', then: [LOST], sent: 2 },
];

/** Plays the scene. The data dictionary is answered on a connection that may be kept for the import. */
function play(scene: Scene, isKept: boolean, run: (bench: FaultBench) => Promise<void>): Promise<void> {
  let server: FaultServer | undefined;
  let imports = 0;
  const script = async ({ form }: { form: URLSearchParams }): Promise<Fault> => {
    const design = designOf(form);
    if (design !== undefined)
      return { kind: 'answer', body: design, headers: isKept ? {} : { connection: 'close' } };
    const fault = imports === 0 ? LOST : scene.then[imports - 1];
    imports += 1;
    if (fault === LOST && imports > scene.then.length) await server?.close();
    return fault ?? LOST;
  };
  return withFaults(
    script,
    (bench) => {
      server = bench.server;
      return run(bench);
    },
    { resilience: { maxRetries: 2, retryBaseMs: 5, ...scene.resilience } },
  );
}

describe('An import with an Idempotency-Key whose answer is lost', () => {
  for (const scene of SCENES) {
    for (const isKept of [false, true]) {
      it(`UP-08: is uncertain, and keeps its key, if ${scene.name} (${isKept ? 'kept' : 'new'} connection)`, async () => {
        await play(scene, isKept, async ({ client, server }) => {
          const writer = new RecordWriter(client);
          const write = (): Promise<unknown> =>
            writer.write(
              Readable.from([Buffer.from(BODY_OF.json(rowsOf(3)))]),
              { format: 'json' },
              { idempotencyKey: 'key', scope: 'test' },
            );

          const first = await rejection(write());
          const second = await rejection(write());

          const doubt = { code: 'import_interrupted', stored: 0, resumeFrom: 0, isUncertain: true };
          expect(first).to.include(doubt);
          expect(second).to.include(doubt);
          expect(server.requests.filter(({ form }) => form.has('data'))).to.have.lengthOf(scene.sent);
        });
      });
    }
  }
});
