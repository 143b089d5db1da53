import { expect } from 'chai';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import request from 'supertest';
import { startService, type TestService } from '../../support/start-service.js';

describe('An ambiguous or invalid request', () => {
  let service: TestService;
  const get = (path: string) => request(service.server).get(path).set('Authorization', service.authorization);
  const post = (path: string) =>
    request(service.server).post(path).set('Authorization', service.authorization);

  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('with a misspelled parameter is 400, naming it', async () => {
    const { status, body } = await get('/api/v1/records?filterlogic=%5Bage%5D%3E1');

    expect(status).to.equal(400);
    expect(body).to.include({ code: 'invalid_request' });
    expect(body.errors).to.deep.equal([
      { field: 'filterlogic', message: 'is not a parameter of this route; did you mean filterLogic?' },
    ]);
  });

  it('with a part of the name of a parameter is 400, naming the whole', async () => {
    const { body } = await get('/api/v1/records?filter=%5Bage%5D%3E1');

    expect(body.errors).to.deep.equal([
      { field: 'filter', message: 'is not a parameter of this route; did you mean filterLogic?' },
    ]);
  });

  it('with a misspelled parameter after a thousand others is 400, rather than an export of everything', async () => {
    const { status, body } = await get(`/api/v1/records?${'&'.repeat(1000)}filterlogic=%5Bage%5D%3E1`);

    expect(status).to.equal(400);
    expect(body.errors).to.deep.equal([
      { field: 'filterlogic', message: 'is not a parameter of this route; did you mean filterLogic?' },
    ]);
  });

  it('with a parameter on a route without parameters is 400', async () => {
    const { status, body } = await get('/api/v1/project/version?verbose=true');

    expect(status).to.equal(400);
    expect(body.errors[0].field).to.equal('verbose');
  });

  it('with the charset of CSV in its header and in the query is read in that of the query', async () => {
    const { status, body } = await post('/api/v1/records?dryRun=true&encoding=windows-1252')
      .set('Content-Type', 'text/csv; charset=windows-1252')
      .send('record_id,first_name\nCOHORT-2026-PARTICIPANT-0001,Ada\n');

    expect([status, body.data?.count]).to.deep.equal([200, 1]);
  });

  for (const [charset, query] of [
    ['windows-1252', ''],
    ['utf-16', '&encoding=windows-1252'],
    ['utf-8', '&encoding=windows-1252'],
    ['windows-1252', '&encoding=utf-8'],
  ] as const)
    it(`with the charset ${charset} of a CSV body that is read in another (${query}) is 415`, async () => {
      const { status, body } = await post(`/api/v1/records?dryRun=true${query}`)
        .set('Content-Type', `text/csv; charset=${charset}`)
        .send('record_id,first_name\nCOHORT-2026-PARTICIPANT-0001,Ada\n');

      expect([status, body.code]).to.deep.equal([415, 'unsupported_media_type']);
    });

  it('means the same with fields=a,b as with fields=a&fields=b', async () => {
    const [comma, repeated] = await Promise.all([
      get('/api/v1/records?fields=record_id,age'),
      get('/api/v1/records?fields=record_id&fields=age'),
    ]);

    expect(comma.status).to.equal(200);
    expect(comma.body.data).to.not.be.empty;
    expect(comma.body).to.deep.equal(repeated.body);
  });

  for (const query of [
    'fields[]=record_id&fields[]=age',
    'fields%5B%5D=record_id,age',
    'fields[0]=record_id&fields[1]=age',
    'fields=record_id&fields[]=age',
  ]) {
    it(`IN-02: ?${query} is read like fields=record_id,age`, async () => {
      const [written, plain] = await Promise.all([
        get(`/api/v1/records?${query}`),
        get('/api/v1/records?fields=record_id,age'),
      ]);

      expect(written.status).to.equal(200);
      expect(written.body.data).to.not.be.empty;
      expect(written.body).to.deep.equal(plain.body);
    });
  }

  describe('IN-02: with a single-valued parameter in another notation', () => {
    const single = ['filterLogic', 'type', 'rawOrLabel', 'batchSize', 'trailer', 'from', 'csvDelimiter'];
    for (const name of single) {
      for (const query of [`${name}=1&${name}=2`, `${name}[]=1`, `${name}[a]=1`]) {
        it(`?${query} is 400`, async () => {
          const { status, body } = await get(`/api/v1/records?${query}`);

          expect(status).to.equal(400);
          expect(body.code).to.equal('invalid_request');
        });
      }
    }
  });

  describe('IN-06: with an invalid name', () => {
    const cases = [
      'fields=Age',
      'fields=age%27',
      'fields=record_id%26content%3Duser',
      'forms=../x',
      'events=baseline',
      'type=wide',
      'batchSize=0',
      'batchSize=1e3',
      'batchSize=10001',
      'trailer=yes',
      'from=yesterday',
      'filterLogic=%00',
      `filterLogic=${'x'.repeat(4001)}`,
      `records=${'x'.repeat(101)}`,
    ];
    for (const query of cases) {
      it(`?${query.slice(0, 40)} is 400, naming the parameter`, async () => {
        const { status, body } = await get(`/api/v1/records?${query}`);

        expect(status).to.equal(400);
        expect(body.errors[0].field).to.match(new RegExp(`^${query.split('=')[0]}(\\[0\\])?$`));
      });
    }
  });

  it('IN-07: is refused without repeating its value', async () => {
    const sentinel = 'SENTINEL-7f3a';
    const paths = [
      `/api/v1/records?fields=${sentinel}`,
      `/api/v1/records?type=${sentinel}`,
      `/api/v1/records?batchSize=${sentinel}`,
      `/api/v1/records?trailer=${sentinel}`,
      `/api/v1/records?until=${sentinel}`,
      `/api/v1/records?forms=${sentinel}`,
      `/api/v1/records?filterLogic=${sentinel}`,
      `/api/v1/records?records=${sentinel}&fields=age&forms=no_such_form`,
      `/api/v1/records?${sentinel}-${sentinel}=1`,
      `/api/v1/people/${sentinel}`,
      `/api/v1/project/fields?forms=${sentinel}`,
      `/${sentinel}`,
    ];
    for (const path of paths) {
      const { status, text } = await get(path);

      expect(status, path).to.be.within(400, 404);
      expect(text.toLowerCase(), path).to.not.include(sentinel.toLowerCase());
    }
  });

  it('is refused with the name of an unknown field, which is not a value', async () => {
    const { status, body } = await get('/api/v1/records?fields=frist_name');

    expect(status).to.equal(400);
    expect(body.detail).to.equal('frist_name is not a field of this project; did you mean first_name?');
  });

  describe('IN-01: is answered with a problem document', () => {
    const problem = (
      description: string,
      send: () => request.Test,
      status: number,
      code: string,
      headers: Record<string, string> = {},
    ) =>
      it(`${description}: ${status} ${code}`, async () => {
        const answer = await send();

        expect(answer.status).to.equal(status);
        expect(answer.headers['content-type']).to.equal('application/problem+json; charset=utf-8');
        expect(answer.body).to.include({ status, code, type: `urn:crf-service:problem:${code}` });
        expect(answer.body.instance).to.equal(answer.headers['x-request-id']);
        expect(answer.headers).to.include(headers);
      });

    problem('an unknown path', () => get('/api/v1/nothing'), 404, 'route_not_found');
    problem('another case of a known path', () => get('/API/v1/project/version'), 404, 'route_not_found');
    problem('another method', () => post('/api/v1/project/version'), 405, 'method_not_allowed', {
      allow: 'GET, HEAD, OPTIONS',
    });
    problem(
      'another method on records',
      () => request(service.server).put('/api/v1/records'),
      405,
      'method_not_allowed',
      {
        allow: 'GET, HEAD, OPTIONS, POST',
      },
    );
    problem('another method on the document', () => post('/openapi.json'), 405, 'method_not_allowed');
    problem(
      'an Accept that cannot be met',
      () => get('/api/v1/project/version').set('Accept', 'image/png'),
      406,
      'not_acceptable',
    );
    problem(
      'an Accept that records cannot meet',
      () => get('/api/v1/records').set('Accept', 'application/xml'),
      406,
      'not_acceptable',
    );
    problem(
      'a URL that is too long',
      () => get(`/api/v1/records?filterLogic=${'x'.repeat(9000)}`),
      414,
      'uri_too_long',
    );
    problem(
      'a broken percent-encoding in the path',
      () => get('/api/v1/people/%E0%A4%A'),
      400,
      'malformed_request',
    );
    problem(
      'a broken percent-encoding in the query',
      () => get('/api/v1/records?fields=%zz'),
      400,
      'malformed_request',
    );
    problem(
      'a body of another type',
      () => post('/api/v1/records').type('text/plain').send('{"records":[]}'),
      415,
      'unsupported_media_type',
    );
    problem(
      'a body without a type',
      () => post('/api/v1/records').unset('Content-Type'),
      415,
      'unsupported_media_type',
    );
    for (const type of ['application/json', 'application/x-ndjson', 'text/csv'])
      problem(
        `records as ${type} in UTF-7`,
        () => post('/api/v1/records').set('Content-Type', `${type}; charset=utf-7`).send('+AFs-'),
        415,
        'unsupported_media_type',
      );
    problem(
      'records in a compressed body',
      () => post('/api/v1/records').type('json').set('Content-Encoding', 'gzip').send('{"records":[{}]}'),
      415,
      'unsupported_media_type',
    );
    problem(
      'broken JSON',
      () => post('/api/v1/records').type('json').send('{"records":['),
      400,
      'malformed_request',
    );
    problem(
      'an unknown property',
      () => post('/api/v1/records').type('json').send('{"recrods":[]}'),
      400,
      'invalid_request',
    );
    problem(
      'nothing to import',
      () => post('/api/v1/records').type('json').send('{"records":[]}'),
      400,
      'invalid_request',
    );
  });

  it('IN-05: with an unknown property is refused with its name, without its value', async () => {
    const { body, text } = await post('/api/v1/records').send({ overwrite: 'SENTINEL', records: [] });

    expect(body.errors[0].field).to.equal('overwrite');
    expect(text).to.not.include('SENTINEL');
  });

  for (const key of ['__proto__', 'constructor', 'prototype']) {
    it(`IN-04: with the key ${key} is 400 and changes no prototype`, async () => {
      const inside = await post('/api/v1/records')
        .type('json')
        .send(`{"records":[{"${key}":{"polluted":"1"}}]}`);
      const beside = await post('/api/v1/records')
        .type('json')
        .send(`{"${key}":{"polluted":"1"},"records":[]}`);

      expect(inside.status).to.be.oneOf([400, 422]);
      expect(beside.status).to.equal(400);
      expect(({} as Record<string, unknown>).polluted).to.be.undefined;
    });
  }

  for (const depth of [33, 5000, 200_000]) {
    it(`IN-03: nested ${depth} deep is 400, and the process survives`, async () => {
      const { status, body } = await post('/api/v1/records')
        .type('json')
        .send(`{"records":[{"record_id":${'['.repeat(depth)}${']'.repeat(depth)}}]}`);

      expect(status).to.equal(400);
      expect(body.code).to.be.oneOf(['malformed_request', 'invalid_request']);
      expect((await get('/health')).status).to.equal(200);
    });
  }

  it('with OPTIONS is answered with the methods of the path', async () => {
    const { status, headers } = await request(service.server).options('/api/v1/records');

    expect(status).to.equal(204);
    expect(headers.allow).to.equal('GET, HEAD, OPTIONS, POST');
  });

  it('IN-06: sends one upstream parameter per input, whatever the input contains', async () => {
    const logic = "[record_id] = 'x&content=user&token=1'";
    const { status, body } = await get(`/api/v1/records?filterLogic=${encodeURIComponent(logic)}`);

    expect(status).to.equal(200);
    expect(body.data).to.deep.equal([]);
  });

  it('that is not HTTP is closed with a problem document', async () => {
    const socket = connect((service.server.address() as AddressInfo).port, '127.0.0.1');
    socket.end('GET /\u0000 HTTP/1.1\r\n\r\n');
    const [chunk] = (await once(socket, 'data')) as [Buffer];

    expect(chunk.toString()).to.include('400').and.to.include('malformed_request');
    socket.destroy();
  });
});
