import { isIP } from 'node:net';

const NAMED: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/**
 * Checks whether a text names proxies in Express's `trust proxy` setting: an address, a network such as `10.0.0.0/8`, or
 * `loopback`, `linklocal` or `uniquelocal`. A network of all addresses does not: it would trust the header of any client,
 * which could then choose its own address (RATE-03).
 */
export function isProxyNetwork(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  if (NAMED.has(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    bits === undefined ||
    (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  );
}
