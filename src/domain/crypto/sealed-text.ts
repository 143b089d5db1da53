import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

/**
 * Encrypts and authenticates a text (AES-256-GCM).
 *
 * @param purpose what the text is for; it cannot be unsealed for any other purpose
 * @returns base64url
 */
export function seal(key: Buffer, purpose: string, text: string): string {
  const nonce = randomBytes(NONCE_LENGTH);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_LENGTH });
  cipher.setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** @returns the text, or `undefined` if the value was not sealed with this key for this purpose */
export function unseal(key: Buffer, purpose: string, value: string): string | undefined {
  const bytes = Buffer.from(value, 'base64url');
  if (bytes.length < NONCE_LENGTH + TAG_LENGTH || bytes.toString('base64url') !== value) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_LENGTH), {
      authTagLength: TAG_LENGTH,
    });
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(NONCE_LENGTH, NONCE_LENGTH + TAG_LENGTH));
    const sealed = bytes.subarray(NONCE_LENGTH + TAG_LENGTH);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
  } catch {
    return undefined; // authentication failed
  }
}
