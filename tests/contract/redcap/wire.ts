import type { RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';

/** A sandbox, and the token of a user who may do everything. */
export type TestSandbox = RedcapSandbox & { readonly token: string };

/** The parameters of a call; an undefined one is not sent. */
export type Form = Readonly<Record<string, string | undefined>>;

export interface WireAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Speaks plain HTTP, as any client does: nothing of our own gateway is in between. */
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

/** The body of a call that goes well; fails the test when it does not. */
export async function textOf(sandbox: TestSandbox, form: Form): Promise<string> {
  const { status, text } = await post(sandbox, { format: 'csv', ...form });
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return text;
}

/** The document of a call that goes well. */
export async function jsonOf(sandbox: TestSandbox, form: Form): Promise<unknown> {
  return JSON.parse(await textOf(sandbox, { format: 'json', ...form }));
}

/** The sentence with which a call is refused; fails the test when it is not. */
export async function refusalOf(sandbox: TestSandbox, form: Form): Promise<string> {
  const { status, text } = await post(sandbox, { format: 'json', ...form });
  if (status !== 400) throw new Error(`Expected a refusal, got ${status}: ${text}`);
  return (JSON.parse(text) as { error: string }).error;
}
