import { expect } from 'chai';
import { parseJson } from '../../../../src/http/middleware/json-body.js';

describe('parseJson', () => {
  const parse = (text: string) => parseJson(Buffer.from(text));

  it('IN-03: reads 32 levels of nesting, and refuses one more', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

    expect(parse(nested(32))).to.be.an('array');
    expect(() => parse(nested(33)))
      .to.throw('nested deeper than 32 levels')
      .with.property('status', 400);
  });

  it('IN-03: does not count brackets inside strings', () => {
    const text = `${'['.repeat(100)}\\"[{`;

    expect(parse(`{"email":"${text}"}`)).to.deep.equal({ email: JSON.parse(`"${text}"`) });
  });

  it('IN-03: reads 10,000 keys, and refuses one more', () => {
    const withKeys = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`;

    expect(parse(withKeys(10_000))).to.have.property('k9999', 1);
    expect(() => parse(withKeys(10_001))).to.throw('more than 10000 keys');
  });

  it('ignores a byte order mark', () => {
    expect(parse('\ufeff{"email":"a"}')).to.deep.equal({ email: 'a' });
  });

  it('reads an empty body as an empty object, so that missing properties are named', () => {
    expect(parse('')).to.deep.equal({});
  });

  it('repeats nothing of a text that is not JSON', () => {
    expect(() => parse('SENTINEL')).to.throw(/^The body is not valid JSON in UTF-8\.$/);
  });
});
