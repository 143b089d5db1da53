import { hash } from 'node:crypto';

/** Returns the SHA-256 of bytes, or of a text in UTF-8, as `sha256:` and hexadecimal digits. */
export function digestOf(content: string | Uint8Array): string {
  return `sha256:${hash('sha256', content, 'hex')}`;
}
