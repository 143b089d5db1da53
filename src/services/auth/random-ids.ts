import { randomBytes } from 'node:crypto';
import { UserId } from '../../identifiers/user-id.js';

/** An id for a new account: 128 random bits. The SDK's own generator is partly guessable. */
export function randomUserId(): UserId {
  return UserId(randomBytes(16).toString('hex'));
}

/**
 * An id in the form of the identity backend's own token ids, which begin with the time: whoever compares answers must
 * not see which of them stand for no mail (AUTH-02).
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
