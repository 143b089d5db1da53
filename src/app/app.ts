import { parse as parseQuery } from 'node:querystring';
import cookieParser from 'cookie-parser';
import express, { type Express, type RequestHandler } from 'express';
import { RegisterRoutes } from '../../build/routes.js';
import { OperationTable } from '../http/openapi/operation-table.js';
import { allProjectsOf, setAppState } from '../http/app-state.js';
import { assembleProjects, assembleState, paceOf, type AppOptions } from './assemble-state.js';
import { checkAppOptions, checkedState } from './check-app-options.js';
import { countedCallerOf } from './authentication.js';
import type {
  AccessSettings,
  AuthSettings,
  ProjectsAppOptions,
  RequestLimits,
} from './create-app-options.js';
import { DOOR_PATH, markCall, redcapDoor } from '../door/redcap-door.js';
import { refusals } from '../door/refusals.js';
import { DEFAULT_FILE_BYTES } from '../services/files/file-service.js';
import { docsRoute } from '../pages/docs-route.js';
import {
  allowListeners,
  closeWhenStopping,
  sandboxHeader,
  securityHeaders,
} from '../http/middleware/answer-headers.js';
import { auditCalls, auditRefusals, auditSignIn, enterCall } from '../http/middleware/audit/audit.js';
import { keepBasePath, nameProject, PROJECT_PATH, projectPathOf } from '../http/middleware/base-path.js';
import { compressData } from '../http/middleware/compress-data.js';
import { cors } from '../http/middleware/cors.js';
import { jsonBody, readJson } from '../http/middleware/json-body.js';
import { sameOrigin } from '../http/same-origin.js';
import { createApiLimits, type ApiLimits } from '../http/middleware/limits/api-limits.js';
import { createSignInLimits } from '../http/middleware/limits/sign-in-limits.js';
import { loopbackOnly, requireHost } from '../http/middleware/hosts.js';
import { loadShedding } from '../http/middleware/load-shedding.js';
import { mediaTypes } from '../http/middleware/media-types.js';
import { matchOperation, notFound, withoutSignIn } from '../http/middleware/match-operation.js';
import { requestId, requestLog, requestMetrics } from '../http/middleware/observe-requests.js';
import { pageProblems } from '../pages/problem-page.js';
import { problems } from '../http/middleware/problems.js';
import { queryRules } from '../http/middleware/query-rules.js';
import { createOpenApiRouter } from '../http/openapi/openapi-route.js';
import { RouteTable, type LimitsOf } from './route-table.js';
import { createAssetsRouter } from '../pages/assets-router.js';
import { createDashboardRouter } from '../pages/dashboard/dashboard-router.js';
import { createListRouter } from '../pages/dashboard/list-router.js';
import { createHomeRouter } from '../pages/home-router.js';
import { createMailboxRouter } from '../pages/mailbox-router.js';
import { createPagesRouter } from '../pages/pages-router.js';
import { createTryFileRouter } from '../pages/try-file/try-file-router.js';
import type { StudyOptions } from '../services/summary/study-options.js';

/**
 * Creates the Express application: the REST API, its OpenAPI document, and the features that the options enable. It
 * opens no socket, starts no timer and reads no environment variables. Several applications in one process share
 * nothing.
 *
 * With `projects` in place of `capture`, it has several: each below `/projects/{name}`, and the default at the root too.
 *
 * Serve it with `createHttpServer(app)`, which limits connections and slow clients, or mount it in your own application:
 * at its root or under a path. The sign-in needs the root, because its cookies and links are for the whole origin.
 *
 * @throws {ConfigurationError} names every invalid option, but never its value
 */
export function createApp(options: AppOptions): Express {
  checkAppOptions(options);
  const app = express();
  const operations = OperationTable.load();
  const projects = assembleProjects(options);
  const state = assembleState(options, projects, () => allProjectsOf(app) ?? projects);
  setAppState(app, state, projects);
  OPTIONS.set(app, options);

  app.disable('x-powered-by');
  app.set('etag', false); // records are never cached, and an ETag requires hashing every response
  // `a[b]=1` is a parameter of that name, which is refused, and not an object. Without `maxKeys: 0`, everything after
  // the first thousand parameters would be dropped, and so possibly a filter.
  app.set('query parser', (query: string) => parseQuery(query, '&', '=', { maxKeys: 0 }));
  app.enable('case sensitive routing'); // every path has a single spelling, as in the document
  app.enable('strict routing');
  app.set('trust proxy', options.trustProxy ?? 0);

  const limits = createApiLimits({ ...options.limits, callerOf: countedCallerOf });
  const signIn = options.auth && createSignIn(options.auth, limits, options.limits);
  const hasDashboard = signIn !== undefined || options.access?.allowAnonymous === true;
  const limitsOf = new Map([...apiLimitsOf(operations, limits), ...(signIn?.limitsOf ?? [])]);

  const hasProjects = 'projects' in options;
  // With several projects, the service is mounted once more for the paths that name one.
  const service = hasProjects ? express.Router({ strict: true, caseSensitive: true }) : app;
  const isAudited = state.audit !== undefined || [...projects.byName.values()].some(({ audit }) => audit);

  const { access } = options;
  const hasDoor =
    options.apiDoor === true && (access?.allowAnonymous !== true || access.isLoopbackOnly === true);
  const shedding = options.isOverloaded ? [loadShedding(options.isOverloaded)] : [];

  // The stages of a request, from top to bottom.
  service.use([
    ...(hasDoor ? [markCall] : []),
    keepBasePath,
    allowListeners,
    requestId,
    securityHeaders,
    requestLog(state.logger),
    ...(options.requests ? [requestMetrics(options.requests)] : []),
    requireHost,
    ...(options.sandbox ? [sandboxHeader] : []),
    ...(options.access?.isLoopbackOnly ? [loopbackOnly] : []),
    ...(options.access?.allowedOrigins?.length ? [cors(options.access.allowedOrigins)] : []),
    closeWhenStopping(state.health),
  ]);
  if (hasDoor)
    service.all(DOOR_PATH, [
      ...shedding,
      compressData,
      ...redcapDoor({
        operations,
        byCaller: limits.byCaller,
        auditCalls: isAudited ? auditCalls : undefined,
        fileBytes: options.files?.limitBytes ?? DEFAULT_FILE_BYTES,
        pace: paceOf(options),
      }),
    ]);
  service.use([
    ...(signIn ? [] : [withoutSignIn(hasDashboard)]),
    matchOperation(operations, options.limits?.urlBytes ?? 8192),
    ...shedding,
    queryRules,
    mediaTypes,
    compressData,
    ...(isAudited ? [auditCalls] : []),
    ...(options.audit && options.auth ? [auditSignIn(options.audit)] : []),
    cookieParser(),
    new RouteTable(RegisterRoutes, limitsOf, [jsonBody(options.limits ?? {}), enterCall]).dispatch,
  ]);
  service.use(createOpenApiRouter({ hasProjects, hasSignIn: signIn !== undefined }));
  const hasReference = options.docs ?? false;
  if (hasReference) service.use('/docs', docsRoute(limits.byCaller));
  const { mailbox } = options.sandbox ?? {};
  if (mailbox) service.use(createMailboxRouter(mailbox, state.health.stopping));
  if (hasDashboard) {
    service.use(createDashboardRouter(limits.byCaller));
    service.use(createListRouter(limits.byCaller));
    service.use(createTryFileRouter(limits.byCaller));
  }
  if (signIn) service.use(signIn.pages);
  service.use(createAssetsRouter()); // after the API, so that browsers get a page for every error
  service.use(createHomeRouter());
  service.use(notFound(hasReference ? '/docs' : '/openapi.json'));
  if (options.audit) service.use(auditRefusals(options.audit));
  if (hasDoor) service.use(refusals);
  service.use(pageProblems);
  service.use(problems);
  if (hasProjects) app.use(projectPathOf).use(PROJECT_PATH, nameProject, service).use(service);
  return app;
}

/** Returns the limits of every API route. The sign-in routes have their own limits, which replace these. */
function apiLimitsOf(operations: OperationTable, { byCaller, byNetwork }: ApiLimits): LimitsOf {
  const routes = operations.paths
    .filter(({ template }) => template.startsWith('/api/'))
    .flatMap(({ template, methods }) => [...methods.keys()].map((method) => `${method} ${template}`));
  return new Map([
    ...routes.map((route) => [route, [byCaller]] as const),
    // Requires no credential, and must not wait for the identity backend.
    ['POST /api/v1/auth/logout', [byNetwork]] as const,
  ]);
}

/** Creates the limits of the generated sign-in routes, and the pages of the sign-in. */
function createSignIn(
  { service, isSandbox: isMailless = false }: AuthSettings,
  { byCaller }: ApiLimits,
  { bodyTimeoutMs, stores }: RequestLimits = {},
): { limitsOf: LimitsOf; pages: RequestHandler } {
  const limits = createSignInLimits((address) => service.canonicalAddress(address), {
    isSandbox: isMailless,
    stores,
  });
  const pages = createPagesRouter({
    auth: service,
    signupLimits: limits.signup,
    loginLimits: limits.login,
    callLimit: byCaller,
    bodyTimeoutMs,
  });
  const limitsOf: LimitsOf = new Map([
    // A page of another site must not use up the quota of an address. Of what a stranger sends, as much is read as an
    // address needs.
    [
      'POST /api/v1/auth/signup',
      [sameOrigin, ...limits.signup(readJson({ bodyBytes: 4096, bodyTimeoutMs }))],
    ],
    ['GET /login', limits.login],
  ]);
  return { limitsOf, pages };
}

const OPTIONS = new WeakMap<object, AppOptions>();

/**
 * Puts other projects to use, with their people, from the next request on. Requests under way end in the project that
 * they entered. One whose options are the same object stays as it is.
 */
export function replaceProjects(
  app: Express,
  {
    sessions,
    ...change
  }: Pick<ProjectsAppOptions, 'projects' | 'defaultProject'> & Pick<AccessSettings, 'sessions'>,
): void {
  const [state, options] = [checkedState(app), OPTIONS.get(app)];
  if (options === undefined || !('projects' in options))
    throw new TypeError('The application has one project.');
  const projects = assembleProjects({ ...options, ...change }, allProjectsOf(app));
  state.access.replaceSessions(sessions);
  setAppState(app, state, projects);
}

/** Puts another plan of the study to use in an application of one project, from the next request on. */
export function replaceStudy(app: Express, study: StudyOptions | undefined): void {
  const [state, options] = [checkedState(app), OPTIONS.get(app)];
  if (options === undefined || 'projects' in options)
    throw new TypeError('The application has several projects.');
  setAppState(app, state, assembleProjects({ ...options, study }, allProjectsOf(app)));
}

/**
 * Makes `/health/ready` respond with 503 and every response close its connection. Call it before `server.close()`.
 *
 * @throws {ConfigurationError} it is not an application of `createApp`
 */
export function beginShutdown(app: Express): void {
  checkedState(app).health.stop();
}
