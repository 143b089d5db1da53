import { expect } from 'chai';
import { OldestFirst } from '../../../../../src/http/middleware/limits/bounded-store.js';

function mapOf(...keys: readonly string[]): OldestFirst<{ key: string }> {
  const map = new OldestFirst<{ key: string }>();
  for (const key of keys) map.set(key, { key });
  return map;
}

describe('OldestFirst', () => {
  it('returns the oldest entry, whatever is deleted around it', () => {
    const map = mapOf('a', 'b', 'c', 'd');
    expect(map.oldest()?.[0]).to.equal('a');

    map.delete('a');
    map.delete('c');

    expect(map.oldest()?.[0]).to.equal('b');
    map.delete('b');
    expect(map.oldest()?.[0]).to.equal('d');
  });

  it('treats a key that is added again as the newest', () => {
    const map = mapOf('a', 'b');
    expect(map.oldest()?.[0]).to.equal('a');

    map.delete('a');
    map.set('a', { key: 'a' });

    expect(map.oldest()?.[0]).to.equal('b');
    map.delete('b');
    expect(map.oldest()?.[0]).to.equal('a');
  });

  it('works after it was empty, and after it was cleared', () => {
    const map = mapOf('a');
    map.delete('a');
    expect(map.oldest()).to.equal(undefined);

    map.set('b', { key: 'b' });
    expect(map.oldest()?.[0]).to.equal('b');
    map.clear();
    expect(map.oldest()).to.equal(undefined);
    map.set('c', { key: 'c' });
    expect(map.oldest()?.[0]).to.equal('c');
  });
});
