import { sentenceOf, type FieldProblem } from './field-problem.js';
import type { ProblemCode } from './problem-table.js';

/** What gives a proxy away: a header that proxies add, or HTTP/1.0, which nothing else speaks by default. */
const PROXY_SIGNS = {
  header: 'came through a proxy',
  'http-1.0': 'speaks HTTP/1.0, as a proxy does that is not configured for HTTP/1.1',
} as const;

type ProxySign = keyof typeof PROXY_SIGNS;

/** Made on first use, because loading the language data takes several milliseconds at start. */
const eitherOf = (choices: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices);

/**
 * The sentence of each problem that has no class of its own: what to do next. They stand apart from the table, because
 * applications in browsers have the table and make none of these errors.
 */
export const SENTENCES_OF_PROBLEMS = {
  cross_site_request: 'This request must come from a page of this service.',
  domain_not_allowed: ({ domains = [] }: { readonly domains?: readonly string[] }) =>
    `Addresses of this domain cannot sign in here. Use an address of ${domains.length === 0 ? 'an allowed domain' : domains.join(' or ')}.`,
  proxied_request: ({ sign = 'header' }: { readonly sign?: ProxySign }) =>
    `Without configured credentials, the service accepts requests only from this machine, and this request ${PROXY_SIGNS[sign]}. Create a key with crf key create and set API_KEYS, or set APPWRITE_*, or ALLOW_ANONYMOUS=true if everyone who can reach the service may read and write.`,
  recent_sign_in_required: 'Sign in again to confirm that it is you, then repeat this.',
  route_not_found: ({
    routesAt = '/openapi.json',
    needsSignIn = false,
  }: {
    readonly routesAt?: string;
    readonly needsSignIn?: boolean;
  }) =>
    needsSignIn
      ? 'This service has no sign-in. Whoever runs it can set one up, as docs/sign-in.md says (APPWRITE_ENDPOINT).'
      : `Nothing is served at this path. See ${routesAt} for the routes.`,
  project_not_found: 'You have no such project here. GET /api/v1/projects lists yours.',
  project_required:
    'This service has several projects: put /projects/{project} in front of the path. GET /api/v1/projects lists yours.',
  name_not_found: ({ errors = [] }: { readonly errors?: readonly FieldProblem[] }) =>
    sentenceOf(errors, 'The project has nothing of this name.'),
  record_not_found: 'No record of this project has this id. Check the id; nothing was changed.',
  user_not_found: 'No user of this project has this email address.',
  file_not_found: ({ isDocument = false }: { readonly isDocument?: boolean }) =>
    isDocument
      ? 'The file repository has no file of this number. List its folder to find the number.'
      : 'No file is stored there. Check the record, the field, the event and the repeat instance.',
  report_not_found:
    "No report of this project has this number, or the token's user may not see it. The numbers are in REDCap's list of reports.",
  not_deidentified:
    'Your exports have the values as they are stored, so that there is nothing a manifest could say. It describes exports under a policy that de-identifies.',
  session_not_found: 'You have no such session.',
  method_not_allowed: ({ allowed }: { readonly allowed: readonly string[] }) =>
    `Use ${allowed.join(', ')} on this path.`,
  not_acceptable: ({ available }: { readonly available: readonly string[] }) =>
    `Accept ${eitherOf(available)}.`,
  request_timeout: 'The request did not arrive in time. Send it again.',
  slow_reader: 'The export was read too slowly. Read it faster, or request less at a time.',
  other_account_signed_in:
    'Another account is signed in here. Sign out first, or confirm the link in a browser.',
  ambiguous_user: 'Several users of this project have this email address. Make it unique in REDCap.',
  idempotency_key_in_use: 'A request with this Idempotency-Key is still running. Repeat it in a moment.',
  import_outcome_unknown:
    'The import with this Idempotency-Key was interrupted and may have stored some of its rows. Check in REDCap which rows are stored, then send the others with a new key.',
  precondition_failed:
    'This has changed since you read it, so that nothing was changed now. Read it again, then repeat the change with its new ETag or values.',
  payload_too_large: ({ limitBytes }: { readonly limitBytes: number }) =>
    `The body may have at most ${limitBytes} bytes. Send it in parts.`,
  uri_too_long: ({ limitBytes }: { readonly limitBytes: number }) =>
    `The URL may have at most ${limitBytes} bytes. Request fewer fields or records at a time.`,
  unsupported_media_type: ({ supported }: { readonly supported: readonly string[] }) =>
    `Send the body as ${eitherOf(supported)}.`,
  unexpected_host:
    'Without configured credentials, the service accepts requests only from this machine. Use localhost, or set API_KEYS, APPWRITE_* or ALLOW_ANONYMOUS=true.',
  idempotency_key_reused: 'This Idempotency-Key was used with another request. Send a new key.',
  headers_too_large: 'The headers of the request are too large. Send fewer or shorter ones.',
  internal_error: 'Something went wrong on our side. Quote the request id when you report it.',
  upstream_banned:
    'REDCap has banned the network address of this service, usually after too many calls in a minute. Ask the administrators of REDCap to lift the ban, and lower CAPTURE_CALLS_PER_MINUTE.',
  identity_refused: ({
    refusal = 'The identity backend refused this service. Check APPWRITE_* (appwrite in the library) and the scopes of the API key.',
  }: {
    readonly refusal?: string | undefined;
  }) => refusal,
  upstream_offline:
    'REDCap is offline for maintenance. Try again later; its administrators know when it is back.',
  identity_unavailable: ({ reason }: { readonly reason?: string | undefined }) =>
    `The identity backend did not answer${reason === undefined ? '' : `: ${reason}`}. Try again in a moment.`,
  audit_unavailable: 'The audit log cannot be written. Check the disk and the file that AUDIT_LOG names.',
} as const satisfies Partial<Record<ProblemCode, string | ((details: never) => string)>>;
