import { randomInt } from 'node:crypto';

/** Used until the identity backend has returned its own words. */
const FIRST = ['Clear morning', 'Green valley', 'Warm stone'];
const KEPT = 100;

/**
 * Creates phrases for declined requests. An answer without a phrase, or with words that the identity backend does not
 * use, would reveal that no mail was sent (AUTH-02). The phrases combine words of earlier phrases. Only the words are
 * kept, in separate lists of first and last words.
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

  /** @returns a phrase that looks like the learned ones; empty if the last one was empty */
  lookalike(): string {
    if (this.#isBlank) return '';
    const pick = (words: readonly string[]): string => words[randomInt(words.length)] ?? '';
    return `${pick(this.#firstWords)} ${pick(this.#lastWords)}`.trim();
  }
}
