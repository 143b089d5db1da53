import { ipKeyGenerator } from 'express-rate-limit';

/**
 * The network of a client, under which it is counted: the address, or the /64 of an IPv6 address, since one subscriber
 * has all of it (RATE-03). An IPv4 address in IPv6 notation counts as IPv4.
 */
export function networkOfAddress(address: string | undefined): string {
  return address === undefined ? 'unknown' : ipKeyGenerator(address, 64);
}
