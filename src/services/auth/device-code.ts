import { createHash, randomBytes, randomInt } from 'node:crypto';
import { isSameBytes } from './auth-keys.js';

/** Consonants that are easy to tell apart by eye and ear, as proposed in RFC 8628, section 6.1. They form no words. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** A code as it is stored. The code cannot be read from memory (AUTH-05). */
export interface KeptCode {
  readonly salt: Buffer;
  readonly digest: Buffer;
}

/** @returns `WDJB-MJHT`: one of 25,600,000,000 codes, so that five guesses have practically no chance */
export function newDeviceCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '').join('');
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
}

export function keepCode(code: string): KeptCode {
  const salt = randomBytes(16);
  return { salt, digest: digestOf(code, salt) };
}

/** Compares in constant time. Ignores case, whitespace and hyphens. */
export function isCode(kept: KeptCode, typed: string): boolean {
  return isSameBytes(kept.digest, digestOf(typed, kept.salt));
}

function digestOf(code: string, salt: Buffer): Buffer {
  const letters = code.slice(0, 64).replace(/[\s-]/g, '').toUpperCase();
  return createHash('sha256').update(salt).update(letters).digest();
}
