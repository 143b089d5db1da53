import type { IdentityCaller, IdentityProject, IdentityScope } from './identity-caller.js';
import { invalidParameter } from './identity-error.js';
import type { IdentityMail } from './mailbox.js';

/** One request of an identified caller. */
export interface IdentityRequest {
  readonly caller: IdentityCaller;
  readonly parameters: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
  readonly query: URLSearchParams;
}

/** The state and settings that routes work with. */
export interface IdentityContext extends IdentityProject {
  readonly projectName: string;
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
  /** The scope that the caller needs; if there is none, everyone may call the route. */
  readonly scope: IdentityScope | undefined;
  readonly answer: (context: IdentityContext, request: IdentityRequest) => IdentityReply;
}

/** @param path `/users/{id}`, with braces around what the handler finds in `parameters` */
export function route(
  method: string,
  path: string,
  scope: IdentityRoute['scope'],
  answer: IdentityRoute['answer'],
): IdentityRoute {
  return { method, path: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`), scope, answer };
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
