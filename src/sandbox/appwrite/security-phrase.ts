import { randomInt } from 'node:crypto';

const ADJECTIVES = [
  'Amber',
  'Brave',
  'Calm',
  'Distant',
  'Early',
  'Gentle',
  'Hidden',
  'Lively',
  'Quiet',
  'Tall',
];
const NOUNS = [
  'bridge',
  'cedar',
  'harbour',
  'island',
  'lantern',
  'meadow',
  'orchard',
  'river',
  'sparrow',
  'tower',
];

/** An adjective and a noun, as Appwrite puts them into mail and answer. @see docs/protocol/appwrite.md 5.2 (source) */
export function securityPhrase(): string {
  const pick = (words: readonly string[]): string => words[randomInt(words.length)] ?? '';
  return `${pick(ADJECTIVES)} ${pick(NOUNS)}`;
}
