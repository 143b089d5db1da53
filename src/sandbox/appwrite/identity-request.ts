import type { IdentityCaller } from './identity-caller.js';
import { invalidParameter } from './identity-error.js';
import type { IdentityStore } from './identity-store.js';
import type { IdentityMail } from './mailbox.js';

/** One request of an identified caller. */
export interface IdentityRequest {
  readonly caller: IdentityCaller;
  readonly parameters: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
  readonly query: URLSearchParams;
}

/** The hourly limit of a route for callers without a key. @see docs/protocol/appwrite.md 5.1 (source, specification) */
export interface IdentityLimit {
  readonly perHour: number;
  /** Returns the keys that the calls are counted by, each separately. */
  readonly countedBy: (call: {
    readonly ip: string;
    readonly body: IdentityRequest['body'];
  }) => readonly unknown[];
  readonly isClearedBySuccess: boolean;
}

/** The state and settings that routes work with. */
export interface IdentityContext {
  readonly store: IdentityStore;
  readonly projectId: string;
  readonly projectName: string;
  readonly allowedHosts: readonly string[];
  readonly now: () => Date;
  readonly deliver: (mail: IdentityMail) => void;
}

/** The reply of a route. The secret of a new session is separate, since it is also sent in cookies. */
export interface IdentityReply {
  /** 200 with a body and 204 without one, if it is not given. */
  readonly status?: number;
  readonly body?: object | string;
  readonly sessionSecret?: string;
}

export interface IdentityRoute {
  readonly method: string;
  readonly path: RegExp;
  /** The caller needs one of these; if the list is empty, everyone may call the route. */
  readonly scopes: readonly string[];
  /**
   * Whether only callers with a key may call it, although guests have one of the scopes.
   *
   * @see docs/protocol/appwrite.md 3.1
   */
  readonly isForKeysOnly?: true;
  readonly limit?: IdentityLimit;
  readonly answer: (context: IdentityContext, request: IdentityRequest) => IdentityReply;
}

/** @param path `/users/{id}`, with braces around what the handler finds in `parameters` */
export function route(
  method: string,
  path: string,
  scopes: readonly string[],
  answer: IdentityRoute['answer'],
  rules: Pick<IdentityRoute, 'isForKeysOnly' | 'limit'> = {},
): IdentityRoute {
  return { method, path: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`), scopes, answer, ...rules };
}

export const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/;
export const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** @throws {IdentityError} the property is missing or invalid */
export function textOf(
  body: IdentityRequest['body'],
  name: string,
  isValid: (value: string) => boolean,
): string {
  const value = body[name];
  if (typeof value !== 'string' || !isValid(value)) throw invalidParameter(name);
  return value;
}
