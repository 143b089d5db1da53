import { isIP } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

/**
 * The network of a client, under which it is counted: the address, or the /64 of an IPv6 address, since one subscriber
 * has all of it (RATE-03). An IPv4 address in IPv6 notation counts as IPv4.
 */
export function networkOfAddress(address: string | undefined): string {
  return address === undefined ? 'unknown' : ipKeyGenerator(address, 64);
}

/**
 * The network of a client as the audit log has it (LOG-04): the /24 of an IPv4 address, the /48 of an IPv6 address. It tells
 * a hospital from a stranger, and not one desk from the next.
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
