import busboy from 'busboy';
import { expect } from 'chai';
import fc from 'fast-check';
import { InvalidRequestError } from '../../../../src/errors/caller-errors.js';
import { createCrfClient } from '../../../../src/client/create-crf-client.js';
import { MultipartBody } from '../../../../src/gateways/redcap/multipart-body.js';
import { useNock } from '../../../support/use-nock.js';

describe('MultipartBody', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 });

  it('is read back unchanged by an independent parser, for a buffer of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(text),
        text,
        fc.integer({ min: 1, max: 400 }),
        async (a, list, data, size) => {
          const body = new MultipartBody({ a, list, data: Buffer.from(data), flag: true, left: undefined });
          const pieces: Buffer[] = [];
          for (const piece of body.pieces(Buffer.alloc(size))) pieces.push(Buffer.from(piece));
          const bytes = Buffer.concat(pieces);

          expect(bytes.length).to.equal(body.length);
          expect(String(body)).to.equal(bytes.toString('latin1'));
          expect(await fieldsOf(body.contentType, bytes)).to.deep.equal([
            ['a', a],
            ...list.map((item, index) => [`list[${index}]`, item]),
            ['data', data],
            ['flag', 'true'],
          ]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('refuses an unpaired surrogate', () => {
    expect(() => new MultipartBody({ data: 'a\ud83d' })).to.throw(InvalidRequestError, /data/);
  });
});

describe('An import', () => {
  const nock = useNock();

  for (const [importEncoding, type] of [
    [undefined, /^multipart\/form-data; boundary=crf-[0-9a-f]{48}$/],
    ['urlencoded', /^application\/x-www-form-urlencoded$/],
  ] as const) {
    it(`is sent as ${importEncoding ?? 'multipart'}${importEncoding ? ' if configured' : ' by default'}; other calls are URL-encoded`, async () => {
      const types: string[] = [];
      const client = createCrfClient({
        url: 'https://redcap.example.org/api/',
        token: 'A'.repeat(32),
        importEncoding,
      });
      nock('https://redcap.example.org')
        .post('/api/')
        .times(2)
        .reply(function () {
          types.push(String(this.req.headers['content-type']));
          return [200, types.length === 1 ? '{"count":1}' : '16.1.9'];
        });

      await client.importRecords([{ record_id: 'A', note: 'a & b' }], { check: false });
      await client.getVersion();
      client.close();

      expect(types[0]).to.match(type);
      expect(types[1]).to.equal('application/x-www-form-urlencoded');
    });
  }
});

function fieldsOf(contentType: string, bytes: Buffer): Promise<[string, string][]> {
  return new Promise((resolve, reject) => {
    const fields: [string, string][] = [];
    const parser = busboy({ headers: { 'content-type': contentType } });
    parser.on('field', (name, value) => fields.push([name, value]));
    parser.on('close', () => resolve(fields));
    parser.on('error', reject);
    parser.end(bytes);
  });
}
