import type { RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';

/** A sandbox, and the token of a user with all rights. */
export type TestSandbox = RedcapSandbox & { readonly token: string };

/** The parameters of a call. An undefined one is not sent. */
export type Form = Readonly<Record<string, string | undefined>>;

export interface WireAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Uses plain HTTP as any client does, without our gateway. */
export async function post(sandbox: TestSandbox, form: Form): Promise<WireAnswer> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries({ token: sandbox.token, ...form })) {
    if (value !== undefined) body.append(name, value);
  }
  const response = await fetch(sandbox.url, { method: 'POST', body });
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: await response.text(),
  };
}

/** Returns the body of a successful call; fails the test otherwise. */
export async function textOf(sandbox: TestSandbox, form: Form): Promise<string> {
  const { status, text } = await post(sandbox, { format: 'csv', ...form });
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return text;
}

/** Returns the document of a successful call. */
export async function jsonOf(sandbox: TestSandbox, form: Form): Promise<unknown> {
  return JSON.parse(await textOf(sandbox, { format: 'json', ...form }));
}

/** Returns the error message of a refused call; fails the test if it succeeds. */
export async function refusalOf(sandbox: TestSandbox, form: Form): Promise<string> {
  const { status, text } = await post(sandbox, { format: 'json', ...form });
  if (status !== 400) throw new Error(`Expected a refusal, got ${status}: ${text}`);
  return (JSON.parse(text) as { error: string }).error;
}
