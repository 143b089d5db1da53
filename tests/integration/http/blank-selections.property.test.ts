import { expect } from 'chai';
import fc from 'fast-check';
import request from 'supertest';
import type { RecordSelection } from '../../../src/client.js';
import { InvalidRequestError } from '../../../src/domain/errors/caller-errors.js';
import { rejection } from '../../support/rejection.js';
import { startService, type TestService } from '../../support/start-service.js';

const LISTS = ['records', 'fields', 'forms', 'events'] as const;
const OPTIONS = [...LISTS, 'filterLogic'] as const;

/** Other empty selections. A comma is a valid record id, so it does not widen an export. */
const BLANKS = {
  records: ['&records=', '%20&records='],
  fields: [',', '%20,', '&fields='],
  forms: [',', '%20,', '&forms='],
  events: [',', '%20,', '&events='],
  filterLogic: ['%09'],
} as const;

/** What looks empty to a person: spaces, tabs, line breaks and Unicode blanks. */
const blankText = fc.string({
  unit: fc.constantFrom(' ', '\t', '\n', '\r', '\u00a0', '\u2003'),
  maxLength: 5,
});
const blankList = fc.oneof(fc.constant([]), fc.array(blankText, { minLength: 1, maxLength: 3 }));
const blankSelection = fc.oneof(
  fc.record({ name: fc.constantFrom(...LISTS), value: blankList }),
  fc.record({ name: fc.constant('filterLogic' as const), value: blankText }),
);

function firstOf(rows: AsyncIterable<unknown>): Promise<unknown> {
  const iterator = rows[Symbol.asyncIterator]();
  return iterator.next();
}

describe('IN-06: a blank selection', () => {
  let service: TestService;

  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const get = (path: string) => request(service.server).get(path).set('Authorization', service.authorization);

  for (const name of OPTIONS) {
    for (const blank of ['', '%20', ...BLANKS[name]]) {
      it(`is refused with 400 as ?${name}=${blank}, naming the parameter that must not be empty`, async () => {
        const { status, body } = await get(`/api/v1/records?${name}=${blank}`);

        expect(status).to.equal(400);
        expect(body.code).to.equal('invalid_request');
        expect(body.errors).to.deep.equal([
          { field: name, message: 'must not be empty: leave it out to select everything' },
        ]);
      });
    }
  }

  it('never widens an export of the REST API, however it is written', async () => {
    const written = fc.tuple(
      fc.constantFrom(...OPTIONS),
      fc.constantFrom('', '[]', '[0]'),
      blankText.map(encodeURIComponent),
    );
    await fc.assert(
      fc.asyncProperty(written, async ([name, brackets, blank]) => {
        const { status, body } = await get(`/api/v1/records?${name}${brackets}=${blank}`);

        expect(status).to.equal(400);
        expect(body.code).to.equal('invalid_request');
      }),
      { numRuns: 60 },
    );
  });

  it('never widens an export of the client library, with any method and options', async () => {
    const { client } = service;
    const methods: readonly ((selection: RecordSelection) => Promise<unknown>)[] = [
      (selection) => client.exportRecords(selection),
      (selection) => client.exportRecords({ ...selection, limit: 3 }),
      (selection) => client.openRecords({ ...selection, format: 'csv' }),
      async (selection) => firstOf(client.streamRecords(selection)),
      async (selection) => firstOf(client.streamRecords({ ...selection, batchSize: 50 })),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods),
        blankSelection,
        fc.boolean(),
        async (run, blank, beside) => {
          const selection = { ...(beside && { fields: ['record_id'] }), [blank.name]: blank.value };
          const error = await rejection(run(selection));

          expect(error).to.be.instanceOf(InvalidRequestError);
          expect((error as unknown as InvalidRequestError).errors[0]?.field).to.match(
            new RegExp(`^${blank.name}(\\[\\d\\])?$`),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  const READS: readonly (readonly [what: string, field: string, read: () => Promise<unknown>])[] = [
    ['fields of the data dictionary', 'fields', () => service.client.fields.list({ fields: [] })],
    ['instruments of the data dictionary', 'forms', () => service.client.fields.list({ forms: [] })],
    ['user of the log', 'user', () => service.client.log.list({ user: ' ' })],
    ['list of a content without a method', 'arms', () => service.client.call('event', { arms: [] })],
  ];
  for (const [what, field, read] of READS) {
    it(`is refused as ${what}`, async () => {
      const error = await rejection(read());

      expect(error).to.be.instanceOf(InvalidRequestError);
      expect((error as unknown as InvalidRequestError).errors[0]?.field).to.equal(field);
    });
  }

  it('is not sent for a page without records', async () => {
    for (const [format, empty] of [
      ['json', '{"data":[]}'],
      ['ndjson', ''],
      ['csv', ''],
    ]) {
      const { status, text } = await get(
        `/api/v1/records?pageSize=5&format=${format}&filterLogic=%5Bage%5D%3E1000`,
      );

      expect(status).to.equal(200);
      expect(text ?? '').to.equal(empty);
    }
  });
});
