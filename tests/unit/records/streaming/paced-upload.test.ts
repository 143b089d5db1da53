import { expect } from 'chai';
import { PassThrough } from 'node:stream';
import { createCrfClient } from '../../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../../src/gateways/redcap/crf-client.js';
import type { RedcapSandbox } from '../../../../src/sandbox/redcap/redcap-sandbox.js';
import { FileService } from '../../../../src/services/files/file-service.js';
import { ManualClock, settled } from '../../../support/manual-clock.js';
import { startTestSandbox } from '../../../support/start-sandbox.js';
import { armsStudy } from '../../../support/studies.js';

const PLACE = { record: '1', field: 'consent', event: 'start_arm_1' };
const HEAD = { name: 'a.txt', contentType: 'text/plain' };

describe('An upload while REDCap allows one call at a time', () => {
  let sandbox: RedcapSandbox & { readonly token: string };
  let client: CrfClient;
  let clock: ManualClock;
  let files: FileService;

  before(async () => {
    sandbox = await startTestSandbox(armsStudy());
    client = createCrfClient({
      url: sandbox.url,
      token: sandbox.token,
      resilience: { concurrency: 1, queueWaitMs: 60_000 },
    });
  });
  after(async () => {
    client.close();
    await sandbox.close();
  });
  beforeEach(() => {
    clock = new ManualClock();
    files = new FileService(client, { pace: { minBytesPerSecond: 100, averagedOverMs: 10_000, clock } });
  });

  /** Starts an upload, and sends the given number of bytes in each second. */
  const send = async (bytesBySecond: readonly number[]) => {
    const source = new PassThrough();
    const outcome = files.putFile(PLACE, source, HEAD).then(
      () => 'stored',
      (error: unknown) => error,
    );
    // The upload has its turn and waits for the first byte.
    await clock.alarm(() => true);
    for (const bytes of bytesBySecond) {
      if (!source.destroyed && bytes > 0) source.write(Buffer.alloc(bytes, 'x'));
      while (source.readableLength > 0) await settled();
      await clock.advance(1_000);
    }
    return { source, outcome };
  };

  it('OPS-03: is aborted if it is too slow, and frees its turn for the next call', async () => {
    const { source, outcome } = await send(Array.from({ length: 11 }, () => 1));

    expect(await outcome).to.have.property('code', 'request_timeout');
    expect(source.destroyed).to.equal(true);
    expect(await client.getVersion()).to.equal('16.1.9');
    expect(clock.pending).to.deep.equal([]);
  });

  it('is stored if it keeps the pace on average, despite pauses', async () => {
    const { source, outcome } = await send([
      ...Array<number>(8).fill(0),
      2_000,
      ...Array<number>(15).fill(200),
    ]);
    source.end();

    expect(await outcome).to.equal('stored');
    expect(sandbox.project.documents.at({ ...PLACE, instrument: '', instance: 0 })?.bytes).to.have.length(
      5_000,
    );
    expect(clock.pending).to.deep.equal([]);
  });
});
