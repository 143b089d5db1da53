import { isIP } from 'node:net';

const NAMED: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/**
 * Parses a number of proxies, or their addresses and networks. `true` is refused, because it would trust the header of
 * any client, which could then choose its own address (RATE-03).
 *
 * @returns the value for Express's `trust proxy`, or an error message
 */
export function parseTrustProxy(text: string): number | readonly string[] | string {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const parts = text.split(',').map((part) => part.trim());
  return parts.every((part) => NAMED.has(part) || isNetwork(part))
    ? parts
    : 'must be a number of proxies, or addresses and networks separated by commas; true is refused';
}

function isNetwork(part: string): boolean {
  const [address = '', bits, ...rest] = part.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
