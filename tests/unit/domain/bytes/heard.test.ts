import { expect } from 'chai';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { heard } from '../../../../src/domain/bytes/heard.js';
import { rejection } from '../../../support/rejection.js';

describe('heard', () => {
  it('OPS-06: lets a stream fail before it has a reader, who still learns of it', async () => {
    const stream = heard(new PassThrough());
    const failure = new Error('early');

    stream.destroy(failure);
    // An error without a listener would be thrown here, and fail this test.
    await new Promise((resolve) => stream.once('close', resolve));

    expect(await rejection(pipeline(stream, new PassThrough()))).to.equal(failure);
    expect(await rejection(stream.toArray())).to.equal(failure);
  });
});
