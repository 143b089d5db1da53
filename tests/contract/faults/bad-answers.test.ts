import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import type { Fault } from '../../support/fault-server.js';
import { printed } from '../../support/printed.js';
import { rejection } from '../../support/rejection.js';
import { useNock } from '../../support/use-nock.js';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { SENTINEL_TOKEN, bareClient, download, withFaults } from '../../support/fault-client.js';

const XML = '<?xml version="1.0" encoding="UTF-8" ?>';
/** Represents a value, a host name or SQL in upstream output. */
const SENTINEL = 'sentinel-7f3a';

/** Bodies that REDCap, or a proxy in front of it, has sent with a 200. */
const BAD_BODIES: readonly (readonly [what: string, body: string])[] = [
  ['nothing', ''],
  ['blanks', ' \r\n '],
  ['a JSON error', `{"error":"${SENTINEL}"}`],
  ['a CSV error', `ERROR: ${SENTINEL}`],
  ['an XML error', `${XML}<hash><error>${SENTINEL}</error></hash>`],
  ['a web page', `<!DOCTYPE html><html><body>${SENTINEL}</body></html>`],
  ['a web page without a doctype', `<html>${SENTINEL}</html>`],
  ['a PHP fatal error', `<br />\n<b>Fatal error</b>:  Uncaught ${SENTINEL}`],
  ['HTML before a JSON error', '<br />\n<b>Fatal error</b>{"error":"REDCap ran out of server memory. x"}'],
  ['a plain sentence', `The service is down, ${SENTINEL}.`],
  ['a bracketed sentence', `[Warning] ${SENTINEL}`],
  ['a truncated JSON document', `[{"record_id":"${SENTINEL}"`],
  ['another JSON document', `{"rows":["${SENTINEL}"]}`],
  ['JSON null', 'null'],
  ['a byte order mark and a web page', `\uFEFF<html>${SENTINEL}</html>`],
];

const OPERATIONS: readonly (readonly [name: string, call: (client: CrfClient) => Promise<unknown>])[] = [
  ['getVersion', (client) => client.getVersion()],
  ['project.getInfo', (client) => client.project.getInfo()],
  ['fields.list', (client) => client.fields.list()],
  ['instruments.list', (client) => client.instruments.list()],
  ['exportRecords', (client) => client.exportRecords()],
  ['openRecords json', (client) => download(client, 'json')],
  ['openRecords csv', (client) => download(client, 'csv')],
  ['importRecords', (client) => client.importRecords([{ record_id: 'a' }], { check: false })],
  ['records.delete', (client) => client.records.delete(['a'])],
  ['users.list', (client) => client.users.list()],
];

describe('A 200 with an invalid body', () => {
  for (const [name, call] of OPERATIONS) {
    for (const [what, body] of BAD_BODIES) {
      it(`UP-02: makes ${name} fail for ${what}, without passing any of it on`, async () => {
        await withFaults(
          () => ({ kind: 'answer', body }),
          async ({ client }) => {
            const error = await rejection(call(client));

            expect(error).to.include({ code: 'upstream_invalid', status: 502 });
            expect(printed(error)).to.not.include(SENTINEL);
          },
        );
      });
    }
  }

  it('is reported as out of memory if REDCap says so', async () => {
    const body = '<br />\n<b>Fatal error</b>\n{"error":"REDCap ran out of server memory. The request"}';
    await withFaults(
      () => ({ kind: 'answer', body }),
      async ({ client }) => {
        expect(await rejection(client.exportRecords())).to.have.property('isOutOfMemory', true);
        expect(await rejection(download(client, 'json'))).to.have.property('isOutOfMemory', true);
        expect(await rejection(download(client, 'csv'))).to.have.property('isOutOfMemory', true);
      },
    );
  });

  it('is not mistaken for one with labels that contain HTML', async () => {
    const body = '<b>Record</b>,"Age, years"\na,1\n';
    await withFaults(
      () => ({ kind: 'answer', body }),
      async ({ client }) => {
        const stream = await client.openRecords({ format: 'csv', rawOrLabelHeaders: 'label' });
        const [chunk] = (await stream.toArray()) as Buffer[];

        expect(String(chunk)).to.equal(body);
      },
    );
  });
});

describe('A byte order mark before an export', () => {
  for (const [format, body] of [
    ['json', '[{"record_id":"1"}]'],
    ['csv', 'record_id,age\n1,42\n'],
  ] as const) {
    it(`UP-02: is not passed on before ${format}`, async () => {
      await withFaults(
        () => ({ kind: 'answer', body: `\uFEFF${body}` }),
        async ({ client }) => {
          const bytes = await buffer(await client.openRecords({ format }));

          expect(bytes.toString()).to.equal(body);
        },
      );
    });
  }
});

/** Statuses and the resulting errors. */
const STATUSES: readonly (readonly [status: number, body: string, expected: object])[] = [
  [301, '', { code: 'upstream_invalid' }],
  [308, '', { code: 'upstream_invalid' }],
  [400, `{"error":"${SENTINEL}"}`, { code: 'upstream_rejected', status: 400 }],
  [400, `ERROR: ${SENTINEL}`, { code: 'upstream_rejected' }],
  [400, `${XML}<hash><error>${SENTINEL}</error></hash>`, { code: 'upstream_rejected' }],
  [400, `<html>${SENTINEL}</html>`, { code: 'upstream_invalid' }],
  [
    400,
    '{"error":"The REDCap project no longer exists because it was deleted."}',
    { code: 'upstream_refused' },
  ],
  [206, '[]', { code: 'upstream_invalid', status: 502 }],
  [401, `{"error":"${SENTINEL}"}`, { code: 'upstream_refused', status: 502 }],
  [403, '{"error":"You do not have permissions to use the API"}', { code: 'upstream_refused' }],
  [403, 'ERROR: You do not have permissions to use the API', { code: 'upstream_refused' }],
  [
    403,
    `${XML}<hash><error>You do not have permissions to use the API</error></hash>`,
    { code: 'upstream_refused' },
  ],
  [
    403,
    '{"error":"You do not have Delete Record privileges"}',
    { code: 'upstream_forbidden', status: 403, right: 'Delete Record' },
  ],
  [403, `<html>${SENTINEL}</html>`, { code: 'upstream_invalid' }],
  [404, `<html>${SENTINEL}</html>`, { code: 'upstream_invalid' }],
  [405, '', { code: 'upstream_invalid' }],
  [406, `{"error":"${SENTINEL}"}`, { code: 'upstream_rejected' }],
  [408, SENTINEL, { code: 'upstream_unavailable', phase: 'server error' }],
  [411, '', { code: 'upstream_invalid' }],
  [413, `<html>${SENTINEL}</html>`, { code: 'upstream_rejected' }],
  [418, SENTINEL, { code: 'upstream_invalid' }],
  [429, SENTINEL, { code: 'upstream_unavailable', phase: 'server error' }],
  [500, `<html>${SENTINEL}</html>`, { code: 'upstream_unavailable', phase: 'server error', status: 503 }],
  [
    501,
    `${XML}<hash><error>The requested method is not implemented.</error></hash>`,
    { code: 'upstream_invalid' },
  ],
  [502, `<html>${SENTINEL}</html>`, { code: 'upstream_unavailable' }],
  [503, '', { code: 'upstream_unavailable' }],
  [504, '{"error":"REDCap ran out of server memory. x"}', { code: 'upstream_invalid', isOutOfMemory: true }],
];

describe('A bad status', () => {
  const nock = useNock();

  for (const [status, body, expected] of STATUSES) {
    it(`ERR-02: ${status} ${JSON.stringify(body.slice(0, 40))} becomes ${Object.values(expected).join(', ')}`, async () => {
      const client = bareClient('https://redcap.test/api/');
      nock('https://redcap.test').post('/api/').times(2).reply(status, body);

      const error = await rejection(client.project.getInfo());
      const streamError = await rejection(client.openRecords({ format: 'json' }));

      expect(error).to.include(expected);
      expect(streamError).to.include(expected);
      expect(printed(error)).to.not.include(SENTINEL);
      expect(printed(error)).to.not.include(SENTINEL_TOKEN);
      client.close();
    });
  }
});

describe('A bad answer on a real connection', () => {
  it('ends the connection instead of reading an endless error', async () => {
    const body = `{"error":"${'x'.repeat(10 * 1024 * 1024)}"}`;
    await withFaults(
      () => ({ kind: 'answer', status: 400, body }),
      async ({ client, server }) => {
        const aborted = server.nextClose();

        expect(await rejection(client.project.getInfo())).to.have.property('code', 'upstream_rejected');
        await aborted;
      },
    );
  });

  for (const note of ['', '\\', '\\\\', 'ü""\n']) {
    it(`lists the values that REDCap refused in the part of a long answer that is read (${JSON.stringify(note)})`, async () => {
      const lines = Array.from(
        { length: 2_000 },
        (_, at) => `"R-${at}","age","${SENTINEL}${note}","is not a valid category"`,
      );
      const body = JSON.stringify({ error: lines.join('\n').replaceAll('ü', '\u00fc') });
      await withFaults(
        () => ({ kind: 'answer', status: 400, body }),
        async ({ client }) => {
          const error = await rejection(client.importRecords([{ record_id: 'a' }], { check: false }));

          expect(error).to.include({ code: 'invalid_records', status: 422 });
          const errors = error['errors'] as { record: string }[];
          expect(errors.length).to.be.within(500, 1_999);
          expect(errors.map(({ record }) => record)).to.deep.equal(errors.map((_, at) => `R-${at}`));
          expect(printed(error)).to.not.include(SENTINEL);
        },
      );
    });
  }

  it('UP-01: is a redirect that is not followed, so the token stays with its host', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      await withFaults(
        () => ({ kind: 'answer', body: '16.1.9' }),
        async ({ server: second }) => {
          const redirect: Fault = { kind: 'answer', status, headers: { location: second.url } };
          await withFaults(
            () => redirect,
            async ({ client }) => {
              const error = await rejection(client.getVersion());

              expect(error).to.have.property('code', 'upstream_invalid');
              expect(error.message).to.include('CAPTURE_API_URL');
              expect(second.requests).to.deep.equal([]);
            },
          );
        },
      );
    }
  });

  it('UP-02: may switch to another protocol, which fails at once and closes the connection', async () => {
    const upgrade: Fault = {
      kind: 'answer',
      status: 101,
      headers: { upgrade: 'other', connection: 'upgrade' },
    };
    await withFaults(
      () => upgrade,
      async ({ client, server }) => {
        const closed = server.nextClose();
        const error = await rejection(client.getVersion());
        await closed;

        expect(error).to.have.property('code', 'upstream_invalid');
      },
    );
  });

  for (const url of [
    'http://redcap.example.org/api/',
    'https://user:secret@redcap.example.org/api/',
    'https://169.254.169.254/api/',
    'https://redcap.example.org/api/?token=x',
    'ftp://redcap.example.org/',
  ]) {
    it(`UP-01: cannot occur at ${url}, for which no client is created`, () => {
      expect(() => createCrfClient({ url, token: SENTINEL_TOKEN }))
        .to.throw()
        .with.property('code', 'invalid_configuration');
    });
  }
});
