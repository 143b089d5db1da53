/** Any origin: what leads away from it, leads away from every other. */
const HERE = 'http://here.invalid';

/**
 * Returns an address of this service as a path with its query, normalized; `undefined` for anything that leads to another
 * origin, however it is written: `//evil.example`, `/\\evil.example` (LOGIN-13).
 */
export function ownAddress(address: unknown): string | undefined {
  if (typeof address !== 'string' || !address.startsWith('/') || !URL.canParse(address, HERE))
    return undefined;
  const { origin, pathname, search } = new URL(address, HERE);
  // What `/.//evil.example` comes to would be another origin in a redirect.
  return origin === HERE && !pathname.startsWith('//') ? pathname + search : undefined;
}
