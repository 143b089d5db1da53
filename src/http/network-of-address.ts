import { Address6 } from 'ip-address';
import { isIP } from 'node:net';

/** The network of a client whose address is not known. */
const UNKNOWN = 'unknown';

/**
 * Returns the network that a client is counted under (RATE-03): its IPv4 address, or its IPv6 /64, because a single
 * subscriber usually has a whole /64. An IPv4 address in IPv6 notation counts as IPv4.
 */
export function networkOfAddress(address: string | undefined): string {
  const plain = withoutPort(address);
  return plain === undefined ? UNKNOWN : networkIn(plain, 64);
}

/**
 * Returns the network of a client for the audit log (LOG-04): its IPv4 /24 or its IPv6 /48. This distinguishes
 * institutions, but not individual machines.
 */
export function networkPrefixOf(address: string | undefined): string {
  const plain = withoutPort(address);
  if (plain === undefined) return UNKNOWN;
  const network = networkIn(plain, 48);
  return isIP(network) === 4 ? `${network.split('.').slice(0, 3).join('.')}.0/24` : network;
}

/** Returns an IPv4 address as it is, also one in IPv6 notation, and the network of so many bits of an IPv6 address. */
function networkIn(address: string, bits: number): string {
  if (isIP(address) === 4) return address;
  const parsed = new Address6(address);
  return parsed.isMapped4() ? parsed.to4().correctForm() : new Address6(`${address}/${bits}`).networkForm();
}

/**
 * Removes the port that some proxies add to the address in `X-Forwarded-For`. With it, every connection would count as a
 * network of its own.
 *
 * @returns undefined if it is not an address
 */
function withoutPort(address = ''): string | undefined {
  const [, bracketed, ipv4] = /^(?:\[([^\]]*)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(address) ?? [];
  const plain = bracketed ?? ipv4 ?? address;
  return isIP(plain) === 0 ? undefined : plain;
}
