import type { IdentityCaller } from './identity-caller.js';
import { invalidParameter } from './identity-error.js';
import type { IdentityMail } from './identity-mail.js';
import type { IdentityStore } from './identity-store.js';

/** One request, after its caller was identified. */
export interface IdentityRequest {
  readonly caller: IdentityCaller;
  readonly parameters: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
  readonly query: URLSearchParams;
}

/** How often a route may be called without a key. @see docs/protocol/appwrite.md 5.1 (source, specification) */
export interface IdentityLimit {
  readonly perHour: number;
  /** What the calls are counted by, each by itself. */
  readonly countedBy: (call: {
    readonly ip: string;
    readonly body: IdentityRequest['body'];
  }) => readonly unknown[];
  readonly isClearedBySuccess: boolean;
}

/** What the routes work on. */
export interface IdentityContext {
  readonly store: IdentityStore;
  readonly projectId: string;
  readonly projectName: string;
  readonly allowedHosts: readonly string[];
  readonly now: () => Date;
  readonly deliver: (mail: IdentityMail) => void;
}

/** What a route answers; a session that was made is named, because cookies go with it. */
export interface IdentityReply {
  readonly status: number;
  readonly body?: object | string;
  readonly sessionSecret?: string;
}

export interface IdentityRoute {
  readonly method: string;
  readonly path: RegExp;
  /** One of these is enough; none: everybody. */
  readonly scopes: readonly string[];
  /** Whether nobody but a key may call it, though guests have one of the scopes too. @see docs/protocol/appwrite.md 3.1 */
  readonly isForKeysOnly?: true;
  readonly limit?: IdentityLimit;
  readonly answer: (context: IdentityContext, request: IdentityRequest) => IdentityReply;
}

export const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/;
export const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** @throws {IdentityError} the property is missing, or is not valid */
export function textOf(
  body: IdentityRequest['body'],
  name: string,
  isValid: (value: string) => boolean,
): string {
  const value = body[name];
  if (typeof value !== 'string' || !isValid(value)) throw invalidParameter(name);
  return value;
}
