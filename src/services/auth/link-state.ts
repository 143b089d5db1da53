import { randomBytes } from 'node:crypto';
import { isSameBytes, macOf } from './auth-keys.js';

/** The content of the signed parameter `st` of a link. */
export interface LinkState {
  /** When the link was requested, by the clock of this service; milliseconds. */
  readonly issuedAt: number;
  /** The digest of the requesting browser's cookie; undefined if a program requested the link. */
  readonly binding: Buffer | undefined;
  /** Identifies the link's address: a digest that only a holder of the key can compare with an address. */
  readonly addressMac: Buffer;
}

// version 1, time 6, nonce 16, binding 32, address 16, signature 32
const VERSION = 1;
const BODY_LENGTH = 71;
const PATTERN = /^[A-Za-z0-9_-]{138}$/;
const NO_BINDING = Buffer.alloc(32);

/**
 * Writes the signed state of a link. Appwrite's links are valid for an hour and do not tell who requested them. The
 * state adds the time and the browser (D4, AUTH-06).
 *
 * @returns 138 characters of base64url, which Appwrite's re-encoding of the link leaves unchanged
 * @see docs/protocol/appwrite.md 5.2 (source)
 */
export function writeLinkState(key: Buffer, state: Omit<LinkState, 'addressMac'>, address: string): string {
  const body = Buffer.alloc(BODY_LENGTH);
  body.writeUInt8(VERSION, 0);
  body.writeUIntBE(state.issuedAt, 1, 6);
  randomBytes(16).copy(body, 7);
  (state.binding ?? NO_BINDING).copy(body, 23);
  addressMacOf(key, address).copy(body, 55);
  return Buffer.concat([body, macOf(key, body)]).toString('base64url');
}

/** @returns the content of the state, or `undefined` if it is malformed or was altered */
export function readLinkState(key: Buffer, value: string): LinkState | undefined {
  if (!PATTERN.test(value)) return undefined;
  const bytes = Buffer.from(value, 'base64url');
  // Several spellings decode to the same bytes. Only the canonical one is accepted.
  if (bytes.toString('base64url') !== value) return undefined;
  const body = bytes.subarray(0, BODY_LENGTH);
  if (!isSameBytes(macOf(key, body), bytes.subarray(BODY_LENGTH)) || body.readUInt8(0) !== VERSION)
    return undefined;
  const binding = body.subarray(23, 55);
  return {
    issuedAt: body.readUIntBE(1, 6),
    binding: binding.equals(NO_BINDING) ? undefined : binding,
    addressMac: body.subarray(55, 71),
  };
}

/** Returns whether the state belongs to this address. A state must not be transferred to another person's link. */
export function isStateOf(key: Buffer, state: LinkState, address: string): boolean {
  return isSameBytes(state.addressMac, addressMacOf(key, address));
}

function addressMacOf(key: Buffer, address: string): Buffer {
  return macOf(key, `address:${address}`).subarray(0, 16);
}
