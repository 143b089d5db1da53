import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

let document: Buffer | undefined;

/** Reads the OpenAPI document as generated, when it is first needed. @returns its JSON in UTF-8 */
export function apiDocument(): Buffer {
  // The path relative to this file is the same in `src` and in the compiled package.
  document ??= readFileSync(new URL('../../../build/openapi.json', import.meta.url));
  return document;
}

let digest: string | undefined;

/** The hash of the document, which is computed once. */
export function apiDocumentDigest(): string {
  digest ??= createHash('sha256').update(apiDocument()).digest('base64url');
  return digest;
}
