import { isProxyNetwork } from '../../domain/identifiers/setting-forms.js';

/**
 * Parses a number of proxies, or their addresses and networks. `true` is refused, because it would trust the header of
 * any client, which could then choose its own address (RATE-03).
 *
 * @returns the value for Express's `trust proxy`, or an error message
 */
export function parseTrustProxy(text: string): number | readonly string[] | string {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const parts = text.split(',').map((part) => part.trim());
  return parts.every(isProxyNetwork)
    ? parts
    : 'must be a number of proxies, or addresses and networks separated by commas; true is refused';
}
