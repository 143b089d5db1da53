import type { Request } from 'express';
import { appState, projectsOf, timeZoneOf } from '../http/app-state.js';
import { cookiesOf } from '../http/express-cookies.js';
import { requestState } from '../http/request-state.js';
import { SAFE_METHODS } from '../http/same-origin.js';
import type { Texts } from './texts/texts.js';
import { LANGUAGES, languageOf, textsIn } from './texts/texts.js';

/** What the frame of a page shows about the service and the reader. */
export interface PageContext {
  /** The path in front of every link of the page: that of the project, or where a host application has the service. */
  readonly base: string;
  /** The projects that the reader may choose from, of a service that has several, and the one that is shown. */
  readonly projects: readonly string[];
  readonly project: string | undefined;
  /** The path of the page below `base`, whose entry in the navigation is marked. */
  readonly path: string;
  /** The address of the page below `base`, to which a choice of language leads back; undefined after a form. */
  readonly here: string | undefined;
  /** The texts in the language of the reader, with times in the zone of the project. */
  readonly t: Texts;
  readonly isSandbox: boolean;
  readonly hasSignIn: boolean;
  readonly hasReference: boolean;
  /** Whether this reader has a dashboard, now or after signing in. */
  readonly hasDashboard: boolean;
  /** Determined only by the cookie, without a call to the identity backend. */
  readonly isSignedIn: boolean;
  /** The mail or web address where people find help. */
  readonly helpUrl: string | undefined;
}

/** The context of a page in a host application, where nothing is known about the service. */
export const BARE_CONTEXT: PageContext = {
  base: '',
  projects: [],
  project: undefined,
  path: '',
  here: undefined,
  t: LANGUAGES.en,
  isSandbox: false,
  hasSignIn: false,
  hasReference: false,
  hasDashboard: false,
  isSignedIn: false,
  helpUrl: undefined,
};

/**
 * Returns the context of a page from its request, without calls to Appwrite or REDCap, because error pages need it too.
 */
export function pageContextOf(request: Request): PageContext {
  const { auth, access, isSandbox, hasReference, helpUrl } = appState(request);
  const { base, entered, identified } = requestState(request);
  const own = identified === undefined ? [] : projectsOf(request, { ...identified, scopes: [] });
  const here = request.originalUrl.slice(base.length);
  return {
    base,
    projects: own.map(({ name }) => name).filter((name) => name !== ''),
    project: entered?.name,
    path: here.split('?')[0] ?? '',
    here: SAFE_METHODS.has(request.method) ? here : undefined,
    t: textsIn(languageOf(request), timeZoneOf(request)),
    isSandbox,
    hasReference,
    hasSignIn: auth !== undefined,
    hasDashboard: auth !== undefined || access.isOpen,
    isSignedIn: auth?.isSignedIn(cookiesOf(request)) ?? false,
    helpUrl,
  };
}
