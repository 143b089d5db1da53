import { Account, AppwriteException, Client, Users } from 'node-appwrite';
import type { AppwriteSandbox } from '../../../src/sandbox/appwrite/appwrite-sandbox.js';

/** The services of the real SDK, unchanged, for one kind of caller. */
export interface Caller {
  readonly client: Client;
  readonly account: Account;
  readonly users: Users;
}

function callerOf(client: Client): Caller {
  return { client, account: new Account(client), users: new Users(client) };
}

function clientOf({ endpoint, projectId }: AppwriteSandbox): Client {
  return new Client().setEndpoint(endpoint).setProject(projectId);
}

/** Authenticated with the sandbox's API key, or another key. */
export function withKey(sandbox: AppwriteSandbox, key = sandbox.apiKey): Caller {
  return callerOf(clientOf(sandbox).setKey(key));
}

/** Authenticated with the secret of a session. */
export function withSession(sandbox: AppwriteSandbox, secret: string): Caller {
  return callerOf(clientOf(sandbox).setSession(secret));
}

/** A guest, without credentials. */
export function asGuest(sandbox: AppwriteSandbox): Caller {
  return callerOf(clientOf(sandbox));
}

/** Signs in as a person does: requests a link with the key, and uses it. */
export async function signIn(
  sandbox: AppwriteSandbox,
  email: string,
): Promise<{ userId: string; sessionId: string; secret: string }> {
  const { account } = withKey(sandbox);
  const link = await account.createMagicURLToken({ userId: 'unique()', email });
  const session = await account.createSession({ userId: link.userId, secret: link.secret });
  return { userId: link.userId, sessionId: session.$id, secret: session.secret };
}

/** Returns the error of a refused call, such as `401 user_invalid_token`. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  const { code, type } = await exceptionOf(call);
  return `${code} ${type}`;
}

export async function exceptionOf(call: Promise<unknown>): Promise<AppwriteException> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof AppwriteException))
    throw new Error('Expected an AppwriteException.', { cause: outcome });
  return outcome;
}
