import { randomInt } from 'node:crypto';

/** Until the identity backend has shown its own words. */
const FIRST = ['Clear morning', 'Green valley', 'Warm stone'];
const KEPT = 100;

/**
 * Phrases for requests that were declined: an answer without a phrase, or with one of other words than the identity
 * backend's, would tell that no mail was sent (AUTH-02). They are mixed from words of earlier phrases, of which only the
 * words are kept, each list apart.
 */
export class SecurityPhrases {
  #firstWords: readonly string[] = FIRST.map((phrase) => phrase.split(' ')[0] ?? '');
  #lastWords: readonly string[] = FIRST.map((phrase) => phrase.split(' ')[1] ?? '');
  #hasLearned = false;
  #isBlank = false;

  learn(phrase: string): void {
    this.#isBlank = phrase === '';
    const [first = '', ...others] = phrase.split(' ');
    if (this.#isBlank) return;
    this.#firstWords = [first, ...(this.#hasLearned ? this.#firstWords : [])].slice(0, KEPT);
    this.#lastWords = [others.join(' '), ...(this.#hasLearned ? this.#lastWords : [])].slice(0, KEPT);
    this.#hasLearned = true;
  }

  /** @returns a phrase that looks like those that were learned; empty when the last one was */
  lookalike(): string {
    if (this.#isBlank) return '';
    const pick = (words: readonly string[]): string => words[randomInt(words.length)] ?? '';
    return `${pick(this.#firstWords)} ${pick(this.#lastWords)}`.trim();
  }
}
