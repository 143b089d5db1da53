import { expect } from 'chai';
import { PassThrough, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { once } from 'node:events';
import { CancelledError } from '../../../../src/domain/errors/caller-errors.js';
import { UpstreamUnavailableError } from '../../../../src/domain/errors/upstream-errors.js';
import { heard } from '../../../../src/domain/bytes/heard.js';
import { writeBody } from '../../../../src/records/streaming/write-body.js';
import { rejection } from '../../../support/rejection.js';

/** A reader that takes nothing. */
const stalled = (): Writable => heard(new Writable({ highWaterMark: 1, write: () => undefined }));

describe('writeBody', () => {
  it('is cancelled by a reader who leaves, also after the last byte of the body was read', async () => {
    const body = heard(Readable.from([Buffer.from('whole')]));
    const sink = stalled();
    const written = rejection(writeBody(body, sink, () => pipeline(body, sink)));
    await once(body, 'close');
    sink.destroy();

    expect(await written).to.be.instanceOf(CancelledError);
  });

  it('is cancelled by a reader who leaves before', async () => {
    const [body, sink] = [heard(new PassThrough()), stalled()];
    body.write('part');
    const written = rejection(writeBody(body, sink, () => pipeline(body, sink)));
    sink.destroy();

    expect(await written).to.be.instanceOf(CancelledError);
  });

  it('blames the body that ends early or fails', async () => {
    for (const cause of [undefined, new Error('reset')]) {
      const [body, sink] = [heard(new PassThrough()), stalled()];
      body.write('part');
      const written = rejection(writeBody(body, sink, () => pipeline(body, sink)));
      body.destroy(cause);

      expect(await written).to.be.instanceOf(UpstreamUnavailableError);
    }
  });
});
