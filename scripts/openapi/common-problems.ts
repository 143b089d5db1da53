import { PROBLEMS, type ProblemCode } from '../../src/errors/problem-table.js';
import type { Answer, Operation, OpenApiDocument } from './document.js';
import { operationsOf } from './document.js';

const PROBLEM = 'application/problem+json';

/** A problem that many operations answer for the same reason: said here once, and in no controller. */
interface CommonProblem {
  readonly codes: readonly ProblemCode[];
  readonly says: string;
  readonly of: (path: string, operation: Operation) => boolean;
}

const everywhere = (): boolean => true;
const isApi = (path: string): boolean => path.startsWith('/api/');
const isPage = (path: string): boolean => path === '/login';
const isSignIn = (path: string): boolean => isPage(path) || path.startsWith('/api/v1/auth/');
const asksRedcap = (path: string): boolean => isApi(path) && !isSignIn(path);
/** Signing out ends the session here, whether or not the identity backend answers. */
const asksIdentity = (path: string): boolean => isSignIn(path) && path !== '/api/v1/auth/logout';
const hasBody = (_path: string, { requestBody }: Operation): boolean => requestBody !== undefined;

const COMMON: readonly CommonProblem[] = [
  { codes: ['invalid_request'], says: 'an unknown, repeated or malformed parameter', of: everywhere },
  { codes: ['malformed_request'], says: 'the body cannot be read', of: hasBody },
  {
    codes: ['unauthenticated'],
    says: 'no valid credential',
    of: (_path, { security = [] }) => security.length > 0,
  },
  {
    codes: ['insufficient_scope', 'cross_site_request'],
    says: 'the credential lacks the scope',
    of: (_path, operation) => scopesOf(operation).length > 0,
  },
  { codes: ['proxied_request'], says: 'came through a proxy; open service on loopback', of: everywhere },
  { codes: ['unexpected_host'], says: 'another host; open service on loopback', of: everywhere },
  { codes: ['not_acceptable'], says: 'none of the media types of this route', of: (path) => !isPage(path) },
  { codes: ['payload_too_large'], says: 'send less at once', of: hasBody },
  { codes: ['uri_too_long'], says: 'ask for less at once', of: everywhere },
  { codes: ['unsupported_media_type'], says: 'none of the media types of this route', of: hasBody },
  { codes: ['rate_limited'], says: 'wait as Retry-After says', of: (path) => isApi(path) || isPage(path) },
  { codes: ['internal_error'], says: 'a fault of this service', of: everywhere },
  { codes: ['upstream_forbidden'], says: "the token's rights in REDCap", of: asksRedcap },
  { codes: ['not_supported_upstream'], says: 'this version of REDCap lacks it', of: asksRedcap },
  { codes: ['upstream_refused', 'upstream_invalid'], says: 'a wrong answer of REDCap', of: asksRedcap },
  { codes: ['identity_refused'], says: 'the operator has to act', of: asksIdentity },
  { codes: ['upstream_unavailable'], says: 'try again later', of: asksRedcap },
  { codes: ['identity_unavailable'], says: 'try again later', of: asksIdentity },
  { codes: ['overloaded'], says: 'try again later', of: (path) => isApi(path) || isPage(path) },
  { codes: ['upstream_timeout'], says: 'REDCap took too long', of: asksRedcap },
];

/** Adds to every operation the problems that it shares with others, and to every problem an example a code. */
export function addProblems(document: OpenApiDocument): void {
  for (const { path, operation } of operationsOf(document)) {
    for (const common of COMMON.filter(({ of }) => of(path, operation))) addProblem(operation, common);
    for (const [status, answer] of Object.entries(operation.responses)) {
      const media = Number(status) >= 400 ? answer.content?.[PROBLEM] : undefined;
      if (media !== undefined) media.examples = examplesOf(answer);
    }
    operation.responses = Object.fromEntries(Object.entries(operation.responses).sort());
  }
}

/** @returns the scopes that an operation asks for, whichever credential carries them */
export function scopesOf({ security = [] }: Operation): string[] {
  return [...new Set(security.flatMap((scheme) => Object.values(scheme).flat()))];
}

/** Its description begins with the codes: `rate_limited, overloaded: …`. What a controller says itself stands first. */
function addProblem({ responses }: Operation, { codes, says }: CommonProblem): void {
  const status = String(PROBLEMS[codes[0] ?? 'internal_error'].status);
  const own = responses[status];
  if (own !== undefined && own.content?.[PROBLEM] === undefined) return; // an answer of another kind
  const [ownCodes = '', ...ownWords] = own?.description.split(': ') ?? [];
  const all = [...new Set([...ownCodes.split(', ').filter((code) => code !== ''), ...codes])];
  const isNew = codes.some((code) => !ownCodes.includes(code));
  const words = [...ownWords, ...(isNew || ownWords.length === 0 ? [says] : [])];
  responses[status] = {
    description: `${all.join(', ')}: ${[...new Set(words)].join('; ')}`,
    content: { [PROBLEM]: { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function examplesOf({ description }: Answer): Record<string, { value: unknown }> {
  const codes = (description.split(': ')[0] ?? '').split(', ') as ProblemCode[];
  return Object.fromEntries(
    codes.map((code) => {
      const { status, title } = PROBLEMS[code];
      const type = `urn:crf-service:problem:${code}`;
      return [
        code,
        { value: { type, title, status, instance: '0b9cdd0c-2a2f-4a0d-9d53-5a3f27b7d1b1', code } },
      ];
    }),
  );
}
