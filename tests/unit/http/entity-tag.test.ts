import { expect } from 'chai';
import { doesMatch, entityTagOf } from '../../../src/http/entity-tag.js';
import { classicStudy } from '../../support/studies.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';

describe('entityTagOf', () => {
  it('is the same for the same content alone, as an object or as its JSON', () => {
    expect(entityTagOf({ a: 1 })).to.equal(entityTagOf('{"a":1}'));
    expect(entityTagOf({ a: 1 })).to.not.equal(entityTagOf({ a: 2 }));
    expect(entityTagOf('')).to.match(/^"[A-Za-z0-9_-]{22}"$/);
  });
});

describe('If-Match', () => {
  for (const [header, isMatch] of [
    ['"a"', true],
    ['"b"', true],
    ['"c"', false],
    ['"c", "b"', true],
    ['*', true],
    ['"c", *', true],
    ['W/"a"', false],
    ['a', false],
    ['', false],
  ] as const)
    it(`${header === '' ? 'without a tag' : header} ${isMatch ? 'permits' : 'refuses'} a change of what has the tags "a" and "b"`, () => {
      expect(doesMatch(header, ['"a"', '"b"'])).to.equal(isMatch);
    });
});

describe('A response with an ETag', () => {
  let service: StudyService;
  let tag: string;
  const get = (ifNoneMatch?: string) => {
    const call = service.send('get', '/project/summary');
    return ifNoneMatch === undefined ? call : call.set('If-None-Match', ifNoneMatch);
  };
  before(async () => {
    service = await startStudyService(classicStudy());
    tag = (await get()).headers['etag'] ?? '';
  });
  after(() => service.close());

  for (const ifNoneMatch of [undefined, 'known'])
    it(`may be kept by the caller alone, and asked for again each time${ifNoneMatch === undefined ? '' : ', also if it is known'}`, async () => {
      const { headers, status } = await get(ifNoneMatch === undefined ? undefined : tag);

      expect(status).to.equal(ifNoneMatch === undefined ? 200 : 304);
      expect(headers).to.include({ etag: tag, 'cache-control': 'private, no-cache' });
      expect(headers['vary']?.split(', ')).to.include.members(['Accept', 'Authorization', 'Cookie']);
    });

  for (const [what, toHeader, status] of [
    ['its tag', (known: string) => known, 304],
    ['its tag as a weak one', (known: string) => `W/${known}`, 304],
    ['its tag after another', (known: string) => `"other", ${known}`, 304],
    ['any tag', () => '*', 304],
    ['another tag', () => '"other"', 200],
  ] as const)
    it(`is ${status} for ${what}`, async () => {
      expect((await get(toHeader(tag))).status).to.equal(status);
    });
});
