import { expect } from 'chai';
import { SecurityPhrases } from '../../../../src/services/auth/security-phrases.js';

/** Returns the different phrases among many. Each of a hundred is as good as certain to be among them. */
function seenOf(phrases: SecurityPhrases): string[] {
  return [...new Set(Array.from({ length: 5_000 }, () => phrases.lookalike()))].sort();
}

describe('SecurityPhrases', () => {
  it('AUTH-02: combine words of their own until the identity backend has returned some', () => {
    expect(seenOf(new SecurityPhrases())).to.deep.equal([
      'Clear morning',
      'Clear stone',
      'Clear valley',
      'Green morning',
      'Green stone',
      'Green valley',
      'Warm morning',
      'Warm stone',
      'Warm valley',
    ]);
  });

  it('AUTH-02: combine only words of the identity backend from then on', () => {
    const phrases = new SecurityPhrases();
    phrases.learn('Amber lantern');
    expect(seenOf(phrases)).to.deep.equal(['Amber lantern']);

    phrases.learn('Silver small boat');
    expect(seenOf(phrases)).to.deep.equal([
      'Amber lantern',
      'Amber small boat',
      'Silver lantern',
      'Silver small boat',
    ]);
  });

  it('AUTH-02: are as short as those of the identity backend', () => {
    const phrases = new SecurityPhrases();
    phrases.learn('Amber');

    expect(seenOf(phrases)).to.deep.equal(['Amber']);
  });

  it('AUTH-02: are empty while those of the identity backend are', () => {
    const phrases = new SecurityPhrases();
    phrases.learn('');
    expect(seenOf(phrases)).to.deep.equal(['']);

    phrases.learn('Amber lantern');
    expect(seenOf(phrases)).to.deep.equal(['Amber lantern']);
    phrases.learn('');
    expect(seenOf(phrases)).to.deep.equal(['']);
  });

  it('AUTH-02: combine the latest hundred words', () => {
    const phrases = new SecurityPhrases();
    for (let index = 0; index <= 100; index += 1) phrases.learn(`First${index} last${index}`);
    const seen = seenOf(phrases).map((phrase) => phrase.split(' '));

    const expected = (name: string) => Array.from({ length: 100 }, (_, index) => `${name}${index + 1}`);
    expect(new Set(seen.map(([first]) => first))).to.deep.equal(new Set(expected('First')));
    expect(new Set(seen.map(([, last]) => last))).to.deep.equal(new Set(expected('last')));
  });
});
