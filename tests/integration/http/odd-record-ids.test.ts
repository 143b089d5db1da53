import { expect } from 'chai';
import fc from 'fast-check';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { classicStudy } from '../../support/studies.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';
import { writeIdList } from '../../support/write-id-list.js';

/** Ids that a naive split would break, next to the ids that it would yield. */
const IDS = [
  'a,b',
  'a',
  'b',
  'say "hi"',
  'O""Neill',
  '100%',
  '100%25',
  'two  blanks',
  'a/b',
  ',',
  'é;ü',
  'x&y=1',
];

function studyOf(ids: readonly string[]): Study {
  return { ...classicStudy(), rows: ids.map((id) => ({ id, age: '40' })) };
}

const q = encodeURIComponent;

describe('Record ids with commas, quotes, blanks and percent signs', () => {
  let service: StudyService;
  before(async () => {
    service = await startStudyService(studyOf(IDS), { imports: { recordIdMinLength: 1 } });
  });
  after(() => service.close());

  const idsAt = async (path: string, body?: object): Promise<string[]> => {
    const answer = await service.send(body === undefined ? 'get' : 'post', path, body).expect(200);
    return (answer.body as { data: { id: string }[] }).data.map(({ id }) => id).sort();
  };

  const WAYS: readonly (readonly [string, (ids: readonly string[]) => string])[] = [
    ['in brackets', (ids) => ids.map((id) => `records[]=${q(id)}`).join('&')],
    ['with positions', (ids) => ids.map((id, at) => `records[${at}]=${q(id)}`).join('&')],
    ['in quotes', (ids) => `records=${q(writeIdList(ids))}`],
    ['repeated', (ids) => [...ids, ...ids].map((id) => `records=${q(id)}`).join('&')],
  ];
  for (const [way, write] of WAYS) {
    it(`are matched exactly, however many are requested, ${way}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(fc.constantFrom(...IDS), { minLength: 1 }), async (ids) => {
          expect(await idsAt(`/records?fields=id&${write(ids)}`)).to.deep.equal([...ids].sort());
        }),
        { numRuns: 15 },
      );
    });
  }

  it('are not split in a parameter for one value, but names are', async () => {
    expect(await idsAt('/records?fields=id,age&records=a,b')).to.deep.equal(['a,b']);
    expect(await idsAt('/records?fields=id,age&records=a,c')).to.deep.equal([]);
  });

  it('are refused with an unclosed quote', async () => {
    const { body } = await service.send('get', '/records?records=%22a').expect(400);

    expect(body.errors[0]).to.include({ field: 'records' });
  });

  it('are matched by a query in the body, even a thousand at once', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `no-such-record-${index}`);

    expect(await idsAt('/records/query', { fields: ['id'], records: [...IDS, ...many] })).to.deep.equal(
      [...IDS].sort(),
    );
  });

  for (const id of IDS) {
    it(`are read one by one: ${id}`, async () => {
      expect(await idsAt(`/records/${q(id)}?fields=id`)).to.deep.equal([id]);
    });
  }

  it('are renamed and deleted, and no others are', async () => {
    await service.send('post', `/records/${q('a,b')}/rename`, { newRecord: 'b, a' }).expect(200, {
      data: { record: 'b, a' },
    });
    await service
      .send('post', '/records/delete', { records: ['b, a', '100%'] })
      .expect(200, { data: { count: 2 } });

    expect(await idsAt('/records?fields=id')).to.deep.equal(
      IDS.filter((id) => id !== 'a,b' && id !== '100%').sort(),
    );
  });
});
