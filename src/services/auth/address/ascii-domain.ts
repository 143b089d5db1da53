import { createRequire } from 'node:module';
import type { toASCII } from 'tr46';

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Loaded on demand: its tables take 60 ms to load, and most names are plain ASCII. */
const load = createRequire(import.meta.url);

/**
 * Converts a domain name with at least two labels to A-labels in lower case. It follows UTS 46 with a library, because
 * Node's `domainToASCII` drops everything after `/`, `?` or `#`, and its rules vary between versions.
 *
 * @returns `undefined` if it is not a domain name, or is an IP address in any notation
 */
export function asciiDomain(domain: string): string | undefined {
  const ascii = isPlain(domain) ? domain.toLowerCase() : toAscii(domain);
  const labels = ascii?.split('.') ?? [];
  const isName = labels.length >= 2 && labels.every((label) => LABEL.test(label));
  // If the last label has no letters, it is part of an IP address.
  return isName && /[a-z]/.test(labels.at(-1) ?? '') ? ascii : undefined;
}

/** Returns whether the name needs no conversion and has no A-label whose Punycode must be checked. */
function isPlain(domain: string): boolean {
  return /^[\u0021-\u007e]*$/.test(domain) && !/(?:^|\.)xn--/i.test(domain);
}

function toAscii(domain: string): string | undefined {
  const uts46 = load('tr46') as { readonly toASCII: typeof toASCII };
  const ascii = uts46.toASCII(domain, {
    checkBidi: true,
    checkJoiners: true,
    useSTD3ASCIIRules: true,
    verifyDNSLength: true,
  });
  return ascii ?? undefined;
}
