import { randomBytes } from 'node:crypto';
import { isSameBytes, macOf } from './auth-keys.js';

/** What the signed parameter `st` of a link says. */
export interface LinkState {
  /** When the link was asked for, on our clock; milliseconds. */
  readonly issuedAt: number;
  /** The digest of the asking browser's cookie; nothing when a program asked. */
  readonly binding: Buffer | undefined;
  /** Whose link it is: a digest that only the holder of the key can compare with an address. */
  readonly addressMac: Buffer;
}

// version 1, time 6, nonce 16, binding 32, address 16, signature 32
const VERSION = 1;
const BODY_LENGTH = 71;
const LENGTH = BODY_LENGTH + 32;
const PATTERN = /^[A-Za-z0-9_-]{138}$/;
const NO_BINDING = Buffer.alloc(32);

/**
 * Writes the state of a link: Appwrite's links live an hour and tell nothing of who asked, ours know both (D4, AUTH-06).
 *
 * @returns 138 characters of base64url, which come back as they are through Appwrite's re-encoding of the link
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

/** @returns what the state says, or `undefined` when it is malformed or was altered */
export function readLinkState(key: Buffer, value: string): LinkState | undefined {
  const bytes = PATTERN.test(value) ? Buffer.from(value, 'base64url') : Buffer.alloc(0);
  // Several spellings decode to the same bytes; only the one we wrote is unaltered.
  if (bytes.length !== LENGTH || bytes.toString('base64url') !== value) return undefined;
  const body = bytes.subarray(0, BODY_LENGTH);
  if (!isSameBytes(macOf(key, body), bytes.subarray(BODY_LENGTH)) || body.readUInt8(0) !== VERSION) {
    return undefined;
  }
  const binding = body.subarray(23, 55);
  return {
    issuedAt: body.readUIntBE(1, 6),
    binding: binding.equals(NO_BINDING) ? undefined : binding,
    addressMac: body.subarray(55, 71),
  };
}

/** A state must not be carried over to somebody else's link. */
export function isStateOf(key: Buffer, state: LinkState, address: string): boolean {
  return isSameBytes(state.addressMac, addressMacOf(key, address));
}

function addressMacOf(key: Buffer, address: string): Buffer {
  return macOf(key, `address:${address}`).subarray(0, 16);
}
