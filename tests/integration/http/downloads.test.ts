import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { startService, type TestService } from '../../support/start-service.js';

const RECORD = 'COHORT-2026-PARTICIPANT-9105';
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const OLD_BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('GET /records in a browser', () => {
  let service: TestService;
  let field: string;

  before(async () => {
    service = await startService();
    const fields = await service.client.fields.list();
    field = fields.find(({ type }) => type === 'notes')?.name ?? '';
    await service.client.importRecords([{ record_id: RECORD, [field]: '=1+1' }]);
  });
  after(() => service.close());

  // Not `fetch`, which sends its own Sec-Fetch-Mode.
  async function get(query: string, headers: http.OutgoingHttpHeaders) {
    const path = `/api/v1/records?records=${RECORD}&fields=${field}${query}`;
    const request = http.get(service.url + path, {
      headers: { authorization: service.authorization, ...headers },
    });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return { headers: response.headers, body: await text(response) };
  }

  for (const [who, query, headers, cell] of [
    ['a browser that navigates', '&format=csv', NAVIGATION, "'=1+1"],
    ['a browser that navigates and does not say so', '&format=csv', OLD_BROWSER, "'=1+1"],
    ['a browser, when the address says so', '&format=csv&spreadsheetSafe=false', NAVIGATION, '=1+1'],
    ['a program', '&format=csv', {}, '=1+1'],
    ['a program that asks by Accept', '', { accept: 'text/csv' }, '=1+1'],
    ['a program that asks for it', '&format=csv&spreadsheetSafe=true', {}, "'=1+1"],
    ['a script of a page', '&format=csv', { 'sec-fetch-mode': 'cors', accept: 'text/html,*/*' }, '=1+1'],
  ] as const) {
    it(`STR-05: gives ${who} ${cell.startsWith("'") ? 'CSV that is safe for spreadsheets' : "REDCap's own CSV"}`, async () => {
      const answer = await get(query, headers);
      const [, line = ''] = answer.body.split(/\r?\n/);

      expect(answer.headers['content-type']).to.match(/^text\/csv/);
      expect(line.replaceAll('"', '').split(',').at(-1)).to.equal(cell);
    });
  }

  it('STR-05: never changes JSON', async () => {
    const answer = await get('&format=json', NAVIGATION);

    expect(answer.body).to.include('"=1+1"');
    expect(answer.headers['content-disposition']).to.equal('attachment; filename="records.json"');
  });

  it('STR-06: is paged with absolute Link headers, up to the last page', async () => {
    const headers = { authorization: service.authorization };
    let page: string | undefined = `${service.url}/api/v1/records?fields=record_id&pageSize=100`;
    const ids: unknown[] = [];
    while (page !== undefined) {
      const answer = await fetch(page, { headers });
      ids.push(
        ...((await answer.json()) as { data: { record_id: string }[] }).data.map((row) => row.record_id),
      );
      page = /^<(http.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    const all = await service.client.exportRecords({ fields: ['record_id'] });

    expect(new Set(ids)).to.deep.equal(new Set(all.map((row) => row['record_id'])));
  });
});
