import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import type { ForwardedCall } from '../../../src/gateways/redcap/crf-client.js';
import type { Fault } from '../../support/fault-server.js';
import { SENTINEL_TOKEN, withFaults } from '../../support/fault-client.js';
import { rejection } from '../../support/rejection.js';

const RECORDS: ForwardedCall = {
  parameters: { content: 'record', format: 'csv', 'fields[1]': 'age', returnFormat: 'xml' },
  isRead: true,
};

const ROWS = 'record_id,age\n1,34\n';

describe('A call of REDCap’s API that is forwarded', () => {
  it('DOOR-02: is sent as the client made it, with the token of the service', async () => {
    await withFaults(
      () => ({ kind: 'answer', body: ROWS }),
      async ({ client, server }) => {
        await client.forward({ ...RECORDS, parameters: { ...RECORDS.parameters, token: 'another' } });

        expect(Object.fromEntries(server.requests[0]?.form ?? [])).to.deep.equal({
          ...RECORDS.parameters,
          token: SENTINEL_TOKEN,
        });
      },
    );
  });

  it('DOOR-06: is answered with REDCap’s own status, media type and bytes', async () => {
    const contentType = 'text/csv; charset=utf-8';
    const answered = await forwarded({
      kind: 'answer',
      headers: { 'content-type': contentType },
      body: `\uFEFF${ROWS}`,
    });

    expect(answered).to.deep.equal({ status: 200, contentType, body: `\uFEFF${ROWS}` });
  });

  for (const status of [400, 403]) {
    it(`is answered with what REDCap refuses it with, a ${status}`, async () => {
      const body = '<?xml version="1.0" encoding="UTF-8" ?><hash><error>Not this one</error></hash>';
      const answered = await forwarded({ kind: 'answer', status, body });

      expect(answered).to.deep.include({ status, body });
    });
  }

  it('fails if REDCap refuses the token, which is none of its caller’s', async () => {
    const body = '{"error":"You do not have permissions to use the API"}';
    const error = await rejection(forwarded({ kind: 'answer', status: 403, body }));

    expect(error).to.include({ code: 'upstream_refused' });
  });

  const pages: readonly (readonly [what: string, code: string, body: string])[] = [
    ['that it is offline', 'upstream_offline', '<html><body>REDCap is currently offline.</body></html>'],
    ['a page of a proxy', 'upstream_invalid', '<!DOCTYPE html><title>Sign in</title>'],
    ['a fatal error of PHP', 'upstream_invalid', '<br />\n<b>Fatal error</b>: Uncaught'],
  ];
  for (const [what, code, body] of pages)
    it(`fails if the answer is a page: ${what}`, async () => {
      expect(await rejection(forwarded({ kind: 'answer', body }))).to.include({ code });
    });

  it('passes a page on that is a stored file', async () => {
    const contentType = 'text/html; name="report.html"';
    const body = '<!DOCTYPE html><title>Report</title>';
    const answered = await forwarded({ kind: 'answer', headers: { 'content-type': contentType }, body });

    expect(answered).to.deep.equal({ status: 200, contentType, body });
  });

  it('DOOR-06: breaks off where the answer of REDCap does', async () => {
    const fault: Fault = { kind: 'cut', body: ROWS.repeat(50_000), fraction: 0.9 };

    expect(await rejection(forwarded(fault))).to.include({ code: 'upstream_unavailable' });
  });

  it('is made again after a failure only if it changes nothing', async () => {
    for (const [isRead, times] of [
      [true, 2],
      [false, 1],
    ] as const) {
      await withFaults(
        (_request, index) => (index === 0 ? { kind: 'answer', status: 503 } : { kind: 'answer', body: '1' }),
        async ({ client, server }) => {
          await client.forward({ ...RECORDS, isRead }).catch(() => undefined);

          expect(server.requests).to.have.length(times);
        },
        { resilience: { maxRetries: 1, retryReserve: 1 } },
      );
    }
  });

  for (const [isRead, what, asked] of [
    [false, 'clears what is cached of the project if it is a write', 2],
    [true, 'keeps what is cached of the project if it is a read', 1],
  ] as const)
    it(what, async () => {
      await withFaults(
        () => ({ kind: 'answer', body: '{"project_id":1}' }),
        async ({ client, server }) => {
          await client.project.getInfo();
          await client.forward({ parameters: { content: 'project_settings' }, isRead });
          await client.project.getInfo();

          const contents = server.requests.map(({ form }) => form.get('content'));
          expect(contents.filter((content) => content === 'project')).to.have.length(asked);
        },
        { resilience: { cacheMs: 60_000 } },
      );
    });
});

/** Makes a call, and reads its answer to the end. */
async function forwarded(fault: Fault): Promise<object> {
  let answered: object = {};
  await withFaults(
    () => fault,
    async ({ client }) => {
      const { body, ...head } = await client.forward(RECORDS);
      answered = { ...head, body: (await buffer(body)).toString() };
    },
  );
  return answered;
}
