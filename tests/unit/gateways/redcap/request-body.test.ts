import busboy from 'busboy';
import { expect } from 'chai';
import fc from 'fast-check';
import { createCrfClient } from '../../../../src/client/create-crf-client.js';
import { InvalidRequestError } from '../../../../src/domain/errors/caller-errors.js';
import {
  checkSendable,
  formBody,
  multipartBody,
  uploadBody,
  type RequestBody,
} from '../../../../src/gateways/redcap/request-body.js';
import { useNock } from '../../../support/use-nock.js';

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
/** Longer than one piece, with characters of one to four bytes. */
const long = fc.nat(8).map((ahead) => 'x'.repeat(ahead) + '😀ü"\r\n'.repeat(20_000));

describe('A form body', () => {
  it('is read back as the texts, lists and booleans that were given, without what is undefined', () => {
    fc.assert(
      fc.property(text, fc.array(text), fc.boolean(), (single, list, isOn) => {
        const form = new URLSearchParams(textOf(formBody({ single, list, isOn, left: undefined })));

        expect([...form]).to.deep.equal([
          ['single', single],
          ...list.map((item, index) => [`list[${index}]`, item]),
          ['isOn', String(isOn)],
        ]);
      }),
    );
  });

  it('has the same bytes for a text and for its UTF-8', () => {
    fc.assert(
      fc.property(fc.oneof(text, long), (data) => {
        const ofBytes = formBody({ data: Buffer.from(data), after: '1' });

        expect(textOf(ofBytes)).to.equal(textOf(formBody({ data, after: '1' })));
      }),
      { numRuns: 20 },
    );
  });

  it('refuses bytes that are not UTF-8, naming their parameter', () => {
    expect(() => formBody({ data: Buffer.from([0x66, 0xfc, 0x72]) }))
      .to.throw(InvalidRequestError)
      .with.nested.property('errors[0].field', 'data');
  });
});

describe('A multipart body', () => {
  it('is read back unchanged by an independent parser', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.array(text), fc.oneof(text, long), async (a, list, data) => {
        const body = multipartBody({ a, list, data: Buffer.from(data), flag: true, left: undefined });

        expect(await fieldsOf(body)).to.deep.equal([
          ['a', a],
          ...list.map((item, index) => [`list[${index}]`, item]),
          ['data', data],
          ['flag', 'true'],
        ]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('A request body', () => {
  const file = { name: 'a "b".pdf', contentType: 'application/pdf', bytes: [Buffer.from('%PDF')] };

  it('knows its length in bytes before it is sent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(text, long)),
        async (parameters) => {
          for (const body of [
            formBody(parameters),
            multipartBody(parameters),
            uploadBody(parameters, { ...file, length: 4 }),
          ]) {
            expect((await bytesOf(body)).length).to.equal(body.length);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('has pieces of at most 64 KiB, so that a slow connection shows progress', () => {
    const data = 'x'.repeat(1_000_000);
    for (const body of [formBody({ data, after: '1' }), multipartBody({ data, after: '1' })]) {
      const lengths = [...(body.pieces() as Iterable<Uint8Array>), body.end].map(({ length }) => length);

      expect(lengths).to.have.length.greaterThan(10);
      expect(Math.max(...lengths)).to.be.at.most(64 * 1024);
    }
  });

  for (const half of ['\uD83D', 'a\uDE00b', '\uDE00\uD83D']) {
    it(`cannot hold half of a surrogate pair: ${JSON.stringify(half)}`, () => {
      expect(() => checkSendable({ whole: '😀', data: half }))
        .to.throw(InvalidRequestError)
        .with.nested.property('errors[0].field', 'data');
    });
  }
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

async function bytesOf(body: RequestBody): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body.pieces()) pieces.push(piece);
  return Buffer.concat([...pieces, body.end]);
}

function textOf(body: RequestBody): string {
  return Buffer.concat([...(body.pieces() as Iterable<Uint8Array>), body.end]).toString('latin1');
}

async function fieldsOf(body: RequestBody): Promise<[string, string][]> {
  const bytes = await bytesOf(body);
  return new Promise((resolve, reject) => {
    const fields: [string, string][] = [];
    const parser = busboy({ headers: { 'content-type': body.contentType } });
    parser.on('field', (name, value) => fields.push([name, value]));
    parser.on('close', () => resolve(fields));
    parser.on('error', reject);
    parser.end(bytes);
  });
}
