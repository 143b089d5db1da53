import { createRedcapKey, hashApiKey } from '../../src/services/access/api-key.js';
import type { Scope } from '../../src/domain/identifiers/scope.js';

/** An API key in the form of a token of REDCap, and its entry for the service. */
export function redcapKey(name: string, ...scopes: readonly Scope[]) {
  const token = createRedcapKey();
  return { token, apiKey: { name, sha256: hashApiKey(token), scopes } };
}

/** The parameters of a call: in order of appearance, if a name is there twice. */
export type DoorParameters = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

export interface DoorAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly text: string;
}

/** Returns parameters as an URL-encoded body. */
export function formOf(parameters: DoorParameters): URLSearchParams {
  return new URLSearchParams(
    Array.isArray(parameters) ? (parameters as [string, string][]) : Object.entries(parameters),
  );
}

/** Returns parameters as a multipart body: with redcapAPI every call is one. A blob is the file. */
export function multipartOf(entries: readonly (readonly [string, string | Blob])[]): FormData {
  const form = new FormData();
  for (const [name, value] of entries)
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, 'étude "1".txt');
  return form;
}

/** Calls REDCap's API at an address. */
export async function callRedcap(
  url: string,
  body: DoorParameters | FormData,
  headers: Readonly<Record<string, string>> = {},
): Promise<DoorAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    body: body instanceof FormData ? body : formOf(body),
    headers,
  });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    headers: response.headers,
    text: await response.text(),
  };
}
