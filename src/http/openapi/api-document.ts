import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A document, and the hash of it. */
export interface ApiDocument {
  readonly json: string;
  readonly digest: string;
}

const documents = new Map<boolean, ApiDocument>();

/**
 * Reads the OpenAPI document as generated, when it is first needed.
 *
 * @param hasSignIn whether the service has a sign-in: otherwise the document is without its routes
 */
export function apiDocument(hasSignIn: boolean): ApiDocument {
  let document = documents.get(hasSignIn);
  if (document === undefined) {
    // The path relative to this file is the same in `src` and in the compiled package.
    const generated = readFileSync(new URL('../../../build/openapi.json', import.meta.url), 'utf8');
    const json = hasSignIn ? generated : withoutSignIn(generated);
    document = { json, digest: createHash('sha256').update(json).digest('base64url') };
    documents.set(hasSignIn, document);
  }
  return document;
}

/** What is read of the document here. */
interface Tagged {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly tags?: readonly string[] }>>>>;
}

function withoutSignIn(generated: string): string {
  const document = JSON.parse(generated) as Tagged;
  const paths = Object.entries(document.paths).filter(
    ([, operations]) => !Object.values(operations).some(({ tags }) => tags?.includes('Sign-in')),
  );
  const tags = document.tags.filter(({ name }) => name !== 'Sign-in');
  return JSON.stringify({ ...document, tags, paths: Object.fromEntries(paths) });
}
