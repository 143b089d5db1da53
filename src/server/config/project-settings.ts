import * as z from 'zod';
import { isAccepted } from '../../domain/identifiers/check-options.js';
import { API_TOKEN_PATTERN, API_TOKEN_RULE, ApiToken } from '../../domain/identifiers/api-token.js';
import { API_URL_RULE, ApiUrl } from '../../domain/identifiers/api-url.js';
import { FIELD_NAME_RULE, isFieldName } from '../../domain/identifiers/names.js';
import { isTimeZone, TIME_ZONE_RULE } from '../../domain/identifiers/setting-forms.js';
import { setting } from './setting.js';
import { date, flag, integer, madeUpSecret, milliseconds, oneOf, pause, text } from './value-types.js';

const fieldName = z.string().refine((name): boolean => isFieldName(name), FIELD_NAME_RULE);

/** The plan of the study, and what the summary leaves out. */
export const STUDY = {
  STUDY_FILE: setting('studyFile', text, {
    text: 'The file with the plan of the study: when each visit is expected, and which forms are optional ([The study at a glance](../dashboard.md#the-plan-of-a-study)). Read again on SIGHUP.',
    example: 'study.yaml',
  }),
  STUDY_START: setting('project.study.start', date, {
    text: 'First day of recruitment. With `STUDY_END` and `STUDY_TARGET` the summary draws the planned recruitment.',
    example: '2026-01-05',
  }),
  STUDY_END: setting('project.study.end', date, { text: 'Last day of recruitment.', example: '2026-12-31' }),
  STUDY_TARGET: setting('project.study.target', integer(1, 10_000_000).optional(), {
    text: 'Planned number of records by `STUDY_END`.',
    example: '400',
  }),
  STUDY_DATE_FIELD: setting('project.study.dateField', fieldName.optional(), {
    text: 'The field with the day on which a record joined the study.',
    unset: 'first date field of the first instrument',
    example: 'consent_date',
  }),
  SMALL_CELL: setting('project.study.smallCell', integer(1, 1000).default(5), {
    text: 'Counts from 1 to below this are left out of the summary for callers without `records:read`; 1 leaves nothing out.',
  }),
};

/** The project, and where its users are found. */
export const REDCAP = {
  CAPTURE_API_URL: setting(
    'capture.url',
    z
      .string()
      .refine(isAccepted(ApiUrl), { error: API_URL_RULE, abort: true })
      .transform((url) => ApiUrl(url))
      .optional(),
    {
      text: 'URL of the REDCap API. When neither this nor the token is set, the service runs on the sandbox.',
      unset: 'sandbox',
      example: 'https://redcap.example.org/api/',
    },
  ),
  CAPTURE_API_TOKEN: setting(
    'capture.token',
    z
      .string()
      .regex(API_TOKEN_PATTERN, { error: API_TOKEN_RULE, abort: true })
      .transform((token) => ApiToken(token))
      .optional(),
    {
      text: 'API token of the REDCap project: 32 hexadecimal characters.',
      unset: 'sandbox',
      example: '0123456789ABCDEF0123456789ABCDEF',
      isSecret: true,
    },
  ),
  PROJECTS_FILE: setting('projectsFile', text, {
    text: 'YAML file that lists projects by name, in place of `CAPTURE_API_URL` and `CAPTURE_API_TOKEN` ([projects](../projects.md)).',
    unset: 'one project',
    example: 'projects.yaml',
  }),
  CAPTURE_PROJECT: setting('projectName', text, {
    text: 'Name of the project in `PROJECTS_FILE` that commands work with, or the only one to serve.',
    unset: 'the `default` of the file',
    example: 'cohort',
  }),
  CAPTURE_TIME_ZONE: setting('project.timeZone', z.string().refine(isTimeZone, TIME_ZONE_RULE).optional(), {
    text: "Time zone of REDCap's server, which REDCap does not report. With it, times of the log and of surveys have an offset, times with an offset are accepted, and pages and reports show times in this zone instead of UTC.",
    unset: 'times without an offset',
    example: 'Europe/Paris',
  }),
  SANDBOX: setting('isSandboxAsked', flag('false'), {
    text: 'Serve the sandbox in a container too: with `NODE_ENV=production`, which then has no effect, and without credentials on any `HOST`, for requests to a loopback address. Refused beside a REDCap or an Appwrite of your own.',
    example: 'true',
  }),
  SANDBOX_STUDY: setting('sandbox.study', oneOf('classic', 'longitudinal').default('classic'), {
    text: 'Study in the sandbox: `classic`, a cohort, or `longitudinal`, a trial with arms, events, sites and surveys.',
    example: 'longitudinal',
  }),
  SANDBOX_UNTIL: setting('sandbox.until', date, {
    text: 'Last day of the study in the sandbox, so that it is the same in each run.',
    unset: 'yesterday',
    example: '2026-11-03',
  }),
  RECORD_ID_MIN_LENGTH: setting('project.imports.recordIdMinLength', integer(1, 100).default(20), {
    text: 'Minimum length of the id of a new record. It does not apply if REDCap numbers the records, nor to records that exist.',
    example: '1',
  }),
  CRF_UNDO_KEY: setting('undoKey', madeUpSecret, {
    text: 'Key with which `crf import` encrypts its undo files, and `crf undo` reads them, 32 to 256 characters, as from `openssl rand -hex 32`.',
    unset: 'undo files are not encrypted',
    example: '4826d0e5a1b7c3f94826d0e5a1b7c3f94826d0e5a1b7c3f94826d0e5a1b7c3f9',
    isSecret: true,
  }),
  USER_SOURCE: setting(
    'project.users.userSource',
    oneOf('auto', 'records', 'project-users').default('auto'),
    {
      text: "Where to look up users: `records` (fields of the project), `project-users` (REDCap's user list), or `auto`: `records` if the data dictionary has both fields, else `project-users`.",
      example: 'records',
    },
  ),
  USER_EMAIL_FIELD: setting('project.users.userEmailField', fieldName.default('email'), {
    text: "Field that holds a user's email address.",
  }),
  USER_ID_FIELD: setting('project.users.userIdField', fieldName.default('userid'), {
    text: "Field that holds a user's id.",
  }),
};

/** Time limits, concurrency, retries and caching of the calls to REDCap. */
export const REDCAP_CALLS = {
  CAPTURE_CONNECT_TIMEOUT_MS: setting('client.timeouts.connectMs', milliseconds.default(5000), {
    text: 'Timeout for connecting to REDCap.',
  }),
  CAPTURE_FIRST_BYTE_TIMEOUT_MS: setting('client.timeouts.firstByteMs', milliseconds.default(30_000), {
    text: 'Timeout for the first byte of a REDCap response.',
  }),
  CAPTURE_IDLE_TIMEOUT_MS: setting('client.timeouts.idleMs', milliseconds.default(30_000), {
    text: 'Maximum pause within a REDCap response.',
  }),
  CAPTURE_TOTAL_TIMEOUT_MS: setting('client.resilience.totalMs', milliseconds.default(120_000), {
    text: 'Timeout for a whole call, including queueing and retries; for an export, until the first bytes arrive.',
  }),
  CAPTURE_MAX_CONCURRENT: setting('client.resilience.concurrency', integer(1, 1000).default(8), {
    text: "Concurrent calls to REDCap. A quarter is reserved for short calls (if there are several); one caller's exports may use two thirds of the rest.",
  }),
  CAPTURE_QUEUE_LIMIT: setting('client.resilience.queueLimit', integer(0, 100_000).default(64), {
    text: 'Maximum number of calls waiting in the queue.',
  }),
  CAPTURE_QUEUE_TIMEOUT_MS: setting('client.resilience.queueWaitMs', pause.default(2000), {
    text: 'Maximum time a call waits in the queue.',
  }),
  CAPTURE_CALLS_PER_MINUTE: setting('client.resilience.callsPerMinute', integer(0, 1_000_000).optional(), {
    text: 'Maximum calls per minute to the host of REDCap, by all processes and projects that share a Redis, otherwise by this process; 0 for no limit. REDCap bans an IP address that makes more than 600.',
    unset: '500; no limit on the sandbox',
    toOption: (calls, { isSandbox }) => calls ?? (isSandbox ? 0 : 500),
    example: '500',
  }),
  CAPTURE_RETRIES: setting('client.resilience.maxRetries', integer(0, 5).default(2), {
    text: 'Maximum retries of a failed read.',
  }),
  CAPTURE_BREAKER_FAILURES: setting('client.resilience.breakerFailures', integer(0, 1000).default(10), {
    text: 'Consecutive failures after which the circuit breaker opens; 0 turns it off.',
  }),
  CAPTURE_BREAKER_RESET_MS: setting('client.resilience.breakerOpenMs', milliseconds.default(10_000), {
    text: 'How long the circuit breaker stays open.',
  }),
  CAPTURE_CACHE_SECONDS: setting('client.resilience.cacheMs', integer(0, 86_400).default(30), {
    text: 'How long the version, the project information and the data dictionary are cached; 0 turns the cache off.',
    toOption: (seconds) => seconds * 1000,
  }),
};
