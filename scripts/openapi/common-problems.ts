import { PROBLEMS, type ProblemCode } from '../../src/domain/errors/problem-table.js';
import type { Answer, Operation, OpenApiDocument } from './document.js';
import { operationsOf } from './document.js';
import { exampleProblem, PROBLEM_CODES } from './problem-examples.js';
import { codesOf } from './share-responses.js';

const PROBLEM = 'application/problem+json';
const PROBLEM_SCHEMA = '#/components/schemas/Problem';

/** A problem that many operations return for the same reason, described here instead of in the controllers. */
interface CommonProblem {
  readonly codes: readonly ProblemCode[];
  readonly meaning: string;
  readonly of: (path: string, operation: Operation) => boolean;
}

const everywhere = (): boolean => true;
const isApi = (path: string): boolean => path.startsWith('/api/');
const isPage = (path: string): boolean => path === '/login';
const isSignIn = (path: string): boolean => isPage(path) || path.startsWith('/api/v1/auth/');
const asksRedcap = (path: string): boolean => isApi(path) && !isSignIn(path);
/** Signing out does not depend on the identity backend: it ends the session here even if the backend is down. */
const asksIdentity = (path: string): boolean => isSignIn(path) && path !== '/api/v1/auth/logout';
/** What only reads the project is not entered in the audit log. */
const isAudited = (path: string, operation: Operation): boolean =>
  isSignIn(path) || scopesOf(operation).some((scope) => scope !== 'project:read');
const takes =
  (parameter: string) =>
  (_path: string, { parameters = [] }: Operation): boolean =>
    parameters.some(({ name }) => name === parameter);
const takesKey = takes('Idempotency-Key');
const needsSharedState = (path: string, operation: Operation): boolean =>
  isSignIn(path) || takesKey(path, operation);
const CHANGES_OF_PROJECT: readonly string[] = ['design:write', 'design:delete', 'users:write'];
const changesProject = (_path: string, operation: Operation): boolean =>
  scopesOf(operation).some((scope) => CHANGES_OF_PROJECT.includes(scope));
const hasBody = (_path: string, { requestBody }: Operation): boolean => requestBody !== undefined;

const COMMON: readonly CommonProblem[] = [
  { codes: ['upstream_rejected'], meaning: 'REDCap refused an entry', of: changesProject },
  { codes: ['invalid_request'], meaning: 'an unknown, repeated or malformed parameter', of: everywhere },
  { codes: ['malformed_request'], meaning: 'the body cannot be read', of: hasBody },
  {
    codes: ['unauthenticated'],
    meaning: 'no valid credential',
    of: (_path, { security = [] }) => security.length > 0,
  },
  {
    codes: ['insufficient_scope', 'not_in_policy', 'cross_site_request'],
    meaning: 'the credential lacks a required scope',
    of: (_path, operation) => scopesOf(operation).length > 0,
  },
  {
    codes: ['project_not_found', 'project_required'],
    meaning: 'the caller has no such project, or the service has several and the path names none',
    of: (_path, operation) => scopesOf(operation).length > 0,
  },
  {
    codes: ['proxied_request'],
    meaning: 'an open service on loopback accepts no requests through a proxy',
    of: everywhere,
  },
  {
    codes: ['unexpected_host'],
    meaning: 'an open service on loopback accepts only loopback host names',
    of: everywhere,
  },
  {
    codes: ['not_acceptable'],
    meaning: 'the route has none of the accepted media types',
    of: (path) => !isPage(path),
  },
  { codes: ['payload_too_large'], meaning: 'send less in one request', of: hasBody },
  { codes: ['uri_too_long'], meaning: 'request less in one call', of: everywhere },
  { codes: ['headers_too_large'], meaning: 'send fewer or shorter headers', of: everywhere },
  { codes: ['request_timeout'], meaning: 'the request did not arrive in time', of: everywhere },
  { codes: ['unsupported_media_type'], meaning: 'the route does not accept this media type', of: hasBody },
  {
    codes: ['record_not_found'],
    meaning: 'the project has no such record',
    of: (path) => path.includes('{record}'),
  },
  {
    codes: ['name_not_found'],
    meaning: 'the project has nothing of the name in the path',
    of: (path) => /\{(?:arm|dag|event|field|instrument|role|username)\}/.test(path),
  },
  { codes: ['idempotency_key_in_use'], meaning: 'the same request is still running', of: takesKey },
  {
    codes: ['idempotency_key_reused'],
    meaning: 'the key belongs to a different request',
    of: takesKey,
  },
  {
    codes: ['precondition_failed'],
    meaning: 'the resource no longer matches If-Match',
    of: takes('If-Match'),
  },
  {
    codes: ['rate_limited'],
    meaning: 'wait for the time in Retry-After',
    of: (path) => isApi(path) || isPage(path),
  },
  { codes: ['internal_error'], meaning: 'an error in this service', of: everywhere },
  { codes: ['upstream_forbidden'], meaning: 'the API token lacks a right in REDCap', of: asksRedcap },
  {
    codes: ['not_supported_upstream'],
    meaning: 'this version of REDCap does not support it',
    of: asksRedcap,
  },
  {
    codes: ['upstream_refused', 'upstream_banned', 'upstream_invalid'],
    meaning: 'REDCap returned an invalid response',
    of: asksRedcap,
  },
  { codes: ['identity_refused'], meaning: 'the operator must act', of: asksIdentity },
  { codes: ['upstream_unavailable', 'upstream_offline'], meaning: 'try again later', of: asksRedcap },
  { codes: ['identity_unavailable'], meaning: 'try again later', of: asksIdentity },
  {
    codes: ['policy_invalid'],
    meaning: 'the policy of the caller does not fit the project',
    of: (_path, operation) => scopesOf(operation).length > 0,
  },
  { codes: ['audit_unavailable'], meaning: 'the audit log cannot be written', of: isAudited },
  { codes: ['shared_state_unavailable'], meaning: 'try again later', of: needsSharedState },
  { codes: ['overloaded'], meaning: 'try again later', of: (path) => isApi(path) || isPage(path) },
  { codes: ['upstream_timeout'], meaning: 'REDCap took too long', of: asksRedcap },
];

/** Adds the common problems to every operation, an example of each code to every problem, and the list of codes. */
export function addProblems(document: OpenApiDocument): void {
  document.components.examples = Object.fromEntries(
    PROBLEM_CODES.map((code) => [code, { value: exampleProblem(code) }]),
  );
  const { code } = document.components.schemas['Problem']?.properties ?? {};
  if (code !== undefined) code.enum = PROBLEM_CODES;
  for (const { path, operation } of operationsOf(document)) {
    for (const answer of Object.values(operation.responses)) nameMediaType(answer);
    for (const common of COMMON.filter(({ of }) => of(path, operation))) addProblem(operation, common);
    for (const [status, answer] of Object.entries(operation.responses)) {
      const media = Number(status) >= 400 ? answer.content?.[PROBLEM] : undefined;
      if (media !== undefined) media.examples = examplesOf(answer);
    }
    operation.responses = Object.fromEntries(Object.entries(operation.responses).sort());
  }
}

/** Gives a problem its media type, so that controllers need not repeat it. */
function nameMediaType(answer: Answer): void {
  const { 'application/json': json, ...others } = answer.content ?? {};
  if (json?.schema?.$ref === PROBLEM_SCHEMA) answer.content = { [PROBLEM]: json, ...others };
}

/** Returns the scopes that an operation requires, for any kind of credential. */
export function scopesOf({ security = [] }: Operation): string[] {
  return [...new Set(security.flatMap((scheme) => Object.values(scheme).flat()))];
}

/**
 * Adds a problem to the responses of an operation. A description begins with its codes, as in
 * `rate_limited, overloaded: …`, and a controller's own description comes first.
 */
function addProblem({ responses }: Operation, { codes, meaning }: CommonProblem): void {
  const status = String(PROBLEMS[codes[0] ?? 'internal_error'].status);
  const own = responses[status];
  if (own !== undefined && own.content?.[PROBLEM] === undefined) return; // a response of another media type
  const [ownCodes = '', ...ownWords] = own?.description?.split(': ') ?? [];
  const all = [...new Set([...ownCodes.split(', ').filter((code) => code !== ''), ...codes])];
  const isNew = codes.some((code) => !ownCodes.includes(code));
  const words = [...ownWords, ...(isNew || ownWords.length === 0 ? [meaning] : [])];
  responses[status] = {
    description: `${all.join(', ')}: ${[...new Set(words)].join('; ')}`,
    content: { [PROBLEM]: { schema: { $ref: PROBLEM_SCHEMA } } },
  };
}

function examplesOf(answer: Answer): Record<string, { $ref: string }> {
  return Object.fromEntries(codesOf(answer).map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}
