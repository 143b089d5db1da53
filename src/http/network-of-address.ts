import { isIP } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

/**
 * Returns the network that a client is counted under (RATE-03): its IPv4 address, or its IPv6 /64, because a single
 * subscriber usually has a whole /64. An IPv4 address in IPv6 notation counts as IPv4.
 */
export function networkOfAddress(address: string | undefined): string {
  return address === undefined ? 'unknown' : ipKeyGenerator(address, 64);
}

/**
 * Returns the network of a client for the audit log (LOG-04): its IPv4 /24 or its IPv6 /48. This distinguishes
 * institutions, but not individual machines.
 */
export function networkPrefixOf(address: string | undefined): string {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/i, '');
  switch (plain === undefined ? 0 : isIP(plain)) {
    case 4:
      return `${plain?.split('.').slice(0, 3).join('.')}.0/24`;
    case 6:
      return ipKeyGenerator(plain ?? '', 48);
    default:
      return 'unknown';
  }
}
