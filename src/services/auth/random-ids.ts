import { randomBytes } from 'node:crypto';
import { UserId } from '../../domain/identifiers/names.js';

/** Creates the id of a new account from 128 random bits. The SDK's own generator is partly predictable. */
export function randomUserId(): UserId {
  return UserId(randomBytes(16).toString('hex'));
}

/**
 * Creates an id in the form of the identity backend's token ids, which begin with the time. Comparing answers must not
 * reveal which requests caused no mail (AUTH-02).
 *
 * @see docs/protocol/appwrite.md 7.1 (source)
 */
export function tokenIdLookalike(now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
    .toString(16)
    .padStart(8, '0');
  const microseconds = (now.getTime() % 1000) * 1000 + (randomBytes(2).readUInt16BE() % 1000);
  return seconds + microseconds.toString(16).padStart(5, '0') + randomBytes(4).toString('hex').slice(0, 7);
}
