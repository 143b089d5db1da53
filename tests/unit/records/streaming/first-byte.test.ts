import { expect } from 'chai';
import { firstByteOf } from '../../../../src/records/streaming/first-byte.js';
import { GeneratorStream } from '../../../../src/records/streaming/generator-stream.js';

async function* chunksOf(...texts: readonly string[]): AsyncGenerator<Buffer, void, undefined> {
  for (const text of await Promise.resolve(texts)) yield Buffer.from(text);
}

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('firstByteOf', () => {
  it('consumes nothing', async () => {
    const stream = await firstByteOf(new GeneratorStream(chunksOf('a', 'b'), () => undefined));

    expect(await textOf(stream)).to.equal('ab');
  });

  it('returns an empty stream, however many wait for its first byte one after the other', async () => {
    const stream = new GeneratorStream(chunksOf(), () => undefined);

    await firstByteOf(stream);
    await firstByteOf(stream);

    expect(stream.readableLength).to.equal(0);
  });
});
