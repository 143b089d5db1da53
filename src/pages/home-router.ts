import express, { type Request, type Response, type Router } from 'express';
import { refusal } from '../domain/errors/refusal.js';
import { appState, chooseView, crfOf, enterProject } from '../http/app-state.js';
import { bodyDeadline } from '../http/body-deadline.js';
import { ownAddress } from '../http/own-address.js';
import { requestState } from '../http/request-state.js';
import { sameOrigin } from '../http/same-origin.js';
import { helpPage } from './help-page.js';
import { homePage, type HomeView } from './home-page.js';
import { pageContextOf } from './page-context.js';
import { getPage, pageRouter, postForm } from './page-router.js';
import { sendPage } from './send-page.js';
import { isLanguage, keepLanguage, LANGUAGES } from './texts/texts.js';
import { anybody, viewerOf } from './viewer.js';

/** Serves the start page at `/`, the help page, and the choice of a language (LANG-01). */
export function createHomeRouter(): Router {
  const router = pageRouter();
  getPage(router, '/', async (request, response) => {
    const { access } = appState(request);
    const view = {
      ...(await studyFor(request)),
      origin: originOf(request) + requestState(request).base,
      isClosed: !access.isOpen,
    };
    sendPage(response, homePage(pageContextOf(request), view), { hasScripts: true });
  });
  getPage(router, '/help', (request, response) => {
    const { access, takesCodes } = appState(request);
    const showsRecords = access.scopesOfSessions.includes('records:read');
    sendPage(response, helpPage(pageContextOf(request), { takesCodes, showsRecords }));
  });
  postForm(
    router,
    '/language',
    sameOrigin,
    bodyDeadline(express.urlencoded({ extended: false, limit: 16_384, parameterLimit: 10 })),
    (request: Request, response: Response) => {
      const { language, to } = (request.body ?? {}) as Readonly<Record<string, unknown>>;
      if (!isLanguage(language))
        throw refusal('language', `must be one of ${Object.keys(LANGUAGES).join(', ')}`);
      keepLanguage(request, response, language);
      response.redirect(303, ownAddress(to) ?? '/');
    },
  );
  return router;
}

/** Returns the title of the project for readers who may see it, if it is available, and whether they may see records. */
async function studyFor(request: Request): Promise<Pick<HomeView, 'projectTitle' | 'mayReadRecords'>> {
  const { access } = appState(request);
  const nothing = { projectTitle: undefined, mayReadRecords: false };
  try {
    const viewer = access.isOpen ? anybody(access.scopesOfSessions) : await viewerOf(request);
    if (viewer === undefined) return nothing;
    requestState(request).identified = viewer;
    const entered = enterProject(request, viewer);
    if (!entered.scopes.includes('project:read')) return nothing;
    await chooseView(request, entered);
    const projectTitle = await crfOf(request).overview.title();
    return { projectTitle, mayReadRecords: entered.scopes.includes('records:read') };
  } catch {
    return nothing;
  }
}

/** Returns the public origin of the service, or the origin of this request if none is configured. */
function originOf(request: Request): string {
  const [trusted] = appState(request).trustedOrigins;
  if (trusted !== undefined) return trusted;
  const asked = `${request.protocol}://${request.headers.host ?? ''}`;
  return URL.canParse(asked) ? new URL(asked).origin : 'http://127.0.0.1:3000';
}
