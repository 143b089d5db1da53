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

/**
 * Returns an adjective and a noun, which Appwrite includes in mail and response.
 *
 * @see docs/protocol/appwrite.md 5.2 (source)
 */
export function securityPhrase(): string {
  const pick = (words: readonly string[]): string => words[randomInt(words.length)] ?? '';
  return `${pick(ADJECTIVES)} ${pick(NOUNS)}`;
}
