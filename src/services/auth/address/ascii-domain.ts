import { createRequire } from 'node:module';
import type { toASCII } from 'tr46';

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Loaded when a name needs it: its tables take 60 ms, and most names are plain ASCII. */
const load = createRequire(import.meta.url);

/**
 * A domain name with at least two labels, as A-labels in lower case. The rules are those of UTS 46, in a library and not in
 * Node's own `domainToASCII`, which drops whatever follows `/`, `?` or `#` and judges names differently from version to
 * version.
 *
 * @returns `undefined` when it is no domain name, or an IP address in one of its many spellings
 */
export function asciiDomain(domain: string): string | undefined {
  const ascii = isPlain(domain) ? domain.toLowerCase() : toAscii(domain);
  const labels = ascii?.split('.') ?? [];
  const isName = labels.length >= 2 && labels.every((label) => LABEL.test(label));
  // A last label without letters is a number of an IP address.
  return isName && /[a-z]/.test(labels.at(-1) ?? '') ? ascii : undefined;
}

/** Whether there is nothing to convert, and no A-label whose Punycode has to be checked. */
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
