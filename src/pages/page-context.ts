import type { Request } from 'express';
import { appState } from '../http/app-state.js';
import { cookiesOf } from '../http/express-cookies.js';

/** What the frame of a page shows of the service and of whoever looks at it. */
export interface PageContext {
  /** The path that is shown: its entry in the navigation is marked. */
  readonly path: string;
  readonly isSandbox: boolean;
  readonly hasSignIn: boolean;
  readonly hasReference: boolean;
  /** Whether there is a dashboard for this reader, signed in or about to be. */
  readonly hasDashboard: boolean;
  /** Judged by the cookie alone: the identity backend is not asked. */
  readonly isSignedIn: boolean;
  /** Where people find help: a mail or web address. */
  readonly helpUrl: string | undefined;
}

/** A page in somebody else's application: of the service around it nothing is known. */
export const BARE_CONTEXT: PageContext = {
  path: '',
  isSandbox: false,
  hasSignIn: false,
  hasReference: false,
  hasDashboard: false,
  isSignedIn: false,
  helpUrl: undefined,
};

/** Reads the frame of a page from its request. It asks neither Appwrite nor REDCap: an error page has a frame too. */
export function pageContextOf(request: Request): PageContext {
  const { auth, access, isSandbox, hasReference, helpUrl } = appState(request.app);
  return {
    path: request.originalUrl.split('?')[0] ?? '',
    isSandbox,
    hasReference,
    hasSignIn: auth !== undefined,
    hasDashboard: auth !== undefined || access.isOpen,
    isSignedIn: auth?.isSignedIn(cookiesOf(request)) ?? false,
    helpUrl,
  };
}
