import { domainOf } from './canonical-address.js';
import type { Email } from '../../../domain/identifiers/email.js';

/** @returns enough of an address for its owner to recognise it: `a•••@example.org` */
export function maskedAddress(address: Email): string {
  const local = address.slice(0, address.lastIndexOf('@'));
  // With one or two characters, nothing would be left to hide.
  return `${local.length > 2 ? (local[0] ?? '') : ''}•••@${domainOf(address)}`;
}
