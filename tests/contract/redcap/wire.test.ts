import { expect } from 'chai';
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { startRedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { classicStudy } from '../../support/studies.js';
import { post, type TestSandbox } from './wire.js';

const NO_PERMISSION = {
  json: '{"error":"You do not have permissions to use the API"}',
  csv: 'ERROR: You do not have permissions to use the API',
  xml: '<?xml version="1.0" encoding="UTF-8" ?><hash><error>You do not have permissions to use the API</error></hash>',
} as const;

const TYPES = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
} as const;

describe('The protocol of the REDCap sandbox', () => {
  let sandbox: TestSandbox;

  before(async () => {
    sandbox = await startTestSandbox(classicStudy());
  });
  after(() => sandbox.close());

  for (const format of ['json', 'csv', 'xml'] as const) {
    for (const [what, token] of [
      ['no token', undefined],
      ['an empty token', ''],
      ['an unknown token', 'A'.repeat(32)],
      ['a truncated token', 'C0FFEE00'],
    ] as const) {
      it(`answers ${what} with 403, in ${format}`, async () => {
        expect(await post(sandbox, { token, content: 'project', format })).to.deep.equal({
          status: 403,
          type: TYPES[format],
          text: NO_PERMISSION[format],
        });
      });
    }

    it(`answers in ${format} with its media type, always with a charset`, async () => {
      expect(await post(sandbox, { content: 'metadata', format })).to.include({
        status: 200,
        type: TYPES[format],
      });
    });
  }

  it('uses XML if no format is requested', async () => {
    expect(await post(sandbox, { content: 'instrument' })).to.deep.equal({
      status: 200,
      type: TYPES.xml,
      text: '<?xml version="1.0" encoding="UTF-8" ?>\n<items>\n<item><instrument_name><![CDATA[base]]></instrument_name><instrument_label><![CDATA[The base]]></instrument_label></item>\n</items>',
    });
    expect((await post(sandbox, { content: 'nonsense' })).type).to.equal(TYPES.xml);
  });

  it('writes errors in returnFormat, and exports in format', async () => {
    const both = { format: 'csv', returnFormat: 'json' };

    expect(await post(sandbox, { ...both, content: 'arm' })).to.deep.equal({
      status: 400,
      type: TYPES.json,
      text: '{"error":"You cannot export arms for classic projects"}',
    });
    expect((await post(sandbox, { ...both, content: 'instrument' })).type).to.equal(TYPES.csv);
  });

  it('accepts a token in upper and lower case', async () => {
    expect(
      await post(sandbox, { token: sandbox.token.toLowerCase(), content: 'project', format: 'json' }),
    ).to.include({ status: 200 });
  });

  for (const [what, form, text] of [
    ['no content', {}, 'The value of the parameter "content" is not valid'],
    ['an unknown content', { content: 'dags' }, 'The value of the parameter "content" is not valid'],
    [
      'the content of a prototype',
      { content: '__proto__' },
      'The value of the parameter "content" is not valid',
    ],
    [
      'an unknown action',
      { content: 'arm', action: 'erase' },
      'The value of the parameter "action" is not valid',
    ],
    [
      'a format that it cannot write',
      { content: 'metadata', format: 'odm' },
      'The value of the parameter "format" is not valid',
    ],
    [
      'an unknown type',
      { content: 'record', type: 'tall' },
      'The value of the parameter "type" is not valid',
    ],
  ] as const) {
    it(`refuses ${what}, naming the parameter`, async () => {
      const answer = await post(sandbox, { returnFormat: 'json', ...form });

      expect(answer.status).to.equal(400);
      expect(JSON.parse(answer.text)).to.deep.equal({ error: text });
    });
  }

  it('answers a method other than POST with 501, in XML', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(`${sandbox.url}?format=json`, { method });
      expect(response.status, method).to.equal(501);
      expect(response.headers.get('content-type')).to.equal(TYPES.xml);
    }
  });

  it('answers at one path, whose slash it adds', async () => {
    const { status } = await fetch(new URL('/nowhere', sandbox.url), { method: 'POST' });
    expect(status).to.equal(404);
    const url = sandbox.url.slice(0, -1);
    expect((await fetch(url, { method: 'POST', redirect: 'manual' })).status).to.equal(301);
  });

  it('sends the headers that every answer of REDCap has', async () => {
    for (const content of ['version', 'nonsense']) {
      const { headers } = await fetch(sandbox.url, {
        method: 'POST',
        body: new URLSearchParams({ token: sandbox.token, content }),
      });
      expect(headers.get('cache-control')).to.equal('no-store, no-cache, must-revalidate');
      expect(headers.get('pragma')).to.equal('no-cache');
      expect(headers.get('expires')).to.equal('0');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('access-control-allow-origin')).to.equal('*');
      expect(headers.get('redcap-random-text')).to.match(/^[0-9a-z]{1,60}$/i);
    }
  });

  it('compresses only for a client that accepts gzip', async () => {
    const form = `token=${sandbox.token}&content=version`;
    const zipped = await raw(sandbox.url, form, { 'accept-encoding': 'deflate, gzip' });
    expect(zipped.headers).to.include({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(zipped.body).toString()).to.equal('16.1.9');

    const plain = await raw(sandbox.url, form, {});
    expect(plain.headers).not.to.have.property('content-encoding');
    expect(plain.headers['content-length']).to.equal('6');
    expect(plain.body.toString()).to.equal('16.1.9');
  });

  it('lets a super token read only the version', async () => {
    const superToken = 'B'.repeat(64);
    const other = await startRedcapSandbox({ study: classicStudy(), superToken, version: '14.5.10' });
    const call = (content: string, token = superToken) =>
      post({ ...other, token }, { content, format: 'csv' });

    try {
      expect(await call('version')).to.include({ status: 200, text: '14.5.10' });
      expect(await call('record')).to.include({ status: 403, text: NO_PERMISSION.csv });
      expect(await call('version', 'B'.repeat(32))).to.include({ status: 403 });
    } finally {
      await other.close();
    }
  });

  it('answers an internal failure with an error in the requested format', async () => {
    const clock = (): Date => new Date(Number.NaN);
    const broken = {
      ...(await startRedcapSandbox({ study: { ...classicStudy(), rows: [] }, clock: () => new Date() })),
      token: sandbox.token,
    };
    Object.defineProperty(broken.project, 'clock', { value: clock });

    try {
      expect(await post(broken, { content: 'record', format: 'csv', data: 'id\n1\n' })).to.include({
        status: 500,
        text: 'ERROR: The sandbox failed on this request.',
      });
    } finally {
      await broken.close();
    }
  });
});

interface RawAnswer {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** `fetch` hides compression by decoding; this does not. */
function raw(url: string, form: string, headers: Record<string, string>): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end(form);
  });
}
