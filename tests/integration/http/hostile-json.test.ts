import { expect } from 'chai';
import type { RunningServer } from '../../../src/server/start-server.js';
import type { Problem } from '../../../src/http/send-problem.js';
import { OperationTable } from '../../../src/http/openapi/operation-table.js';
import { startWholeService } from '../../support/start-whole-service.js';

/** Every operation that reads JSON, including future ones. */
const OPERATIONS = OperationTable.load().paths.flatMap(({ methods }) =>
  [...methods.values()].filter(({ bodyTypes }) => bodyTypes.includes('application/json')),
);

const SIGNUP = '/api/v1/auth/signup';
/** Of what a stranger sends, no more is read than an address needs. */
const TOO_LARGE = [413, 'payload_too_large'] as const;
/** An import reads its body as a stream, and finds the unknown property first. */
const UNREADABLE = [400, 'malformed_request', 'invalid_request'] as const;

describe('A malicious JSON body', () => {
  let service: RunningServer;
  before(async () => {
    service = await startWholeService();
  });
  after(() => service.stop());

  const send = (method: string, path: string, body: string | Buffer, type = 'application/json') =>
    fetch(service.url + path, { method, body, headers: { 'content-type': type } });

  for (const { method, template } of OPERATIONS) {
    for (const depth of [33, 5000, 200_000]) {
      for (const [brackets, bracket] of [
        ['arrays', '['],
        ['objects', '{"a":'],
      ] as const) {
        const [status, ...codes] = template === SIGNUP && depth > 4096 ? TOO_LARGE : UNREADABLE;
        it(`IN-03: is refused with ${status} at ${method} ${template} for ${depth} nested ${brackets}, and the process survives`, async () => {
          const answer = await send(method, template, bracket.repeat(depth));

          expect(answer.status).to.equal(status);
          expect(((await answer.json()) as Problem).code).to.be.oneOf(codes);
          expect((await fetch(`${service.url}/health`)).status).to.equal(200);
        });
      }
    }
  }

  for (const { method, template } of OPERATIONS) {
    it(`IN-04: is no internal error at ${method} ${template} if objects cannot be converted to text`, async () => {
      const hostile = { toString: null, valueOf: null };
      for (const body of [{ arm: hostile, records: [{ record_id: hostile }], email: hostile }, [hostile]]) {
        const answer = await send(method, template, JSON.stringify(body));

        expect(answer.status).to.be.oneOf([400, 401, 422]);
      }
    });
  }

  for (const item of ['0', '""', '{}', '[]']) {
    it(`IN-03: is refused with its first problems for 300,000 times ${item} in a list`, async () => {
      const list = Array.from({ length: 300_000 }, () => item).join();
      for (const [method, path, name] of [
        ['PUT', '/api/v1/project/arms', 'data'],
        ['POST', '/api/v1/records/query', 'fields'],
        ['POST', '/api/v1/records/delete', 'records'],
      ] as const) {
        const answer = await send(method, path, `{"${name}":[${list}]}`);
        const { code, errors = [] } = (await answer.json()) as Problem;

        expect([answer.status, code], path).to.deep.equal([400, 'invalid_request']);
        expect(errors, path).to.have.lengthOf.within(100, 110);
      }
    });
  }

  const signup = (body: string | Buffer, type?: string) => send('POST', SIGNUP, body, type);

  for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf']) {
    it(`IN-04: is refused for the key ${key} at any depth`, async () => {
      for (const body of [`{"${key}":{"polluted":1}}`, `{"email":[{"${key}":{"polluted":1}}]}`]) {
        const answer = await signup(body);

        expect(await answer.json()).to.include({ status: 400, code: 'malformed_request' });
      }
      expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
    });
  }

  for (const [name, body] of [
    ['broken JSON', '{"email":'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['a lone surrogate in CESU-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['closing brackets', ']'.repeat(4000)],
  ] as const) {
    it(`IN-01: is refused with 400 malformed_request for ${name}`, async () => {
      const answer = await signup(body);

      expect(await answer.json()).to.include({ status: 400, code: 'malformed_request' });
    });
  }
});
