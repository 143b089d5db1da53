import { isDay } from '../domain/dictionary/text-validations.js';
import * as z from 'zod';
import {
  aBoolean,
  aFunction,
  aGroup,
  aListOf,
  aNumber,
  aTime,
  hasMethods,
  hasParts,
  isObject,
  oneOf,
  required,
  optional,
  optionProblems,
  refuseProblems,
  type OptionRules,
} from '../domain/identifiers/check-options.js';
import { ConfigurationError } from '../domain/errors/operator-errors.js';
import { stateOf, type AppState } from '../http/app-state.js';
import { API_URL_RULE, isApiUrl } from '../domain/identifiers/api-url.js';
import { isProxyNetwork } from '../domain/identifiers/proxy-network.js';
import { PROJECT_NAME, isTimeZone, TIME_ZONE_RULE } from '../domain/identifiers/setting-forms.js';
import type { SessionGrant } from '../services/access/access-control.js';
import type { ApiKey } from '../services/access/api-key.js';
import { AUTH_RULE, isAuth } from '../services/auth/auth-arguments.js';
import type { UserFinderOptions } from '../services/user-finder.js';
import type { StudyOptions } from '../services/summary/study-options.js';
import type {
  AccessSettings,
  AuthSettings,
  CreateAppOptions,
  FileSettings,
  ImportSettings,
  ProjectOptions,
  ProjectsAppOptions,
  RequestLimits,
  SharedStateSettings,
} from './create-app-options.js';
import { isFieldName } from '../domain/identifiers/names.js';
import { isScope, SCOPES } from '../domain/identifiers/scope.js';

const text = (rule: string) => z.string(rule).min(1, rule);
const listOf = (isItem: (item: unknown) => boolean, rule: string) =>
  required((value) => Array.isArray(value) && value.every(isItem), rule);
/** An object with these methods. */
const having = (rule: string, ...methods: readonly string[]) =>
  required((value) => hasMethods(value, ...methods), rule);

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isOrigin = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value;

const scopes = listOf(isScope, `must be a list of scopes: ${SCOPES.join(', ')}`);
const projectNames = listOf(isText, 'must be a list of names of projects');
const fieldName = optional(isFieldName, 'must be the name of a field');
const timeZone = optional(isTimeZone, TIME_ZONE_RULE);
const day = optional(
  (value) => typeof value === 'string' && isDay(value),
  'must be a date, as in 2026-01-31',
);
const HELP_RULE = 'must begin with https:// or mailto:';
const DIGEST_RULE = 'must be 64 lower-case hexadecimal digits, as hashApiKey makes them';

const STUDY = {
  start: day,
  end: day,
  target: aNumber(1),
  dateField: fieldName,
  smallCell: aNumber(1),
  optional: optional((value) => hasParts(value, 'forms', 'events'), 'must have forms and events'),
  schedule: optional((value) => hasParts(value, 'visits'), 'must have anchor and visits'),
  timeZone,
  today: day,
} satisfies OptionRules<keyof StudyOptions>;

const API_KEY = {
  name: text('must be a string'),
  sha256: z.string(DIGEST_RULE).regex(/^[0-9a-f]{64}$/, DIGEST_RULE),
  scopes,
  expiresAt: z.date('must be a valid Date').optional(),
  projects: projectNames.optional(),
} satisfies OptionRules<keyof ApiKey>;

const SESSION = {
  email: text('must be an address, in which one * may stand for anything'),
  projects: projectNames,
  scopes,
} satisfies OptionRules<keyof SessionGrant>;

const ACCESS = {
  allowAnonymous: aBoolean,
  openToken: text('must be text').optional(),
  isLoopbackOnly: aBoolean,
  allowedOrigins: listOf(isOrigin, 'must be a list of origins, as in https://app.example.org').optional(),
  sessionScopes: scopes.optional(),
  apiKeys: aListOf(API_KEY, 'must be a list of API keys'),
  sessions: aListOf(SESSION, 'must be a list of addresses with projects and scopes'),
} satisfies OptionRules<keyof AccessSettings>;

const AUTH = {
  service: required(isAuth, AUTH_RULE),
  isSandbox: aBoolean,
  takesCodes: aBoolean,
  trustedOrigins: listOf(isText, 'must be a list of origins, as in https://crf.example.org'),
} satisfies OptionRules<keyof AuthSettings>;

const USERS = {
  userSource: oneOf('auto', 'records', 'project-users'),
  userEmailField: fieldName,
  userIdField: fieldName,
} satisfies OptionRules<keyof UserFinderOptions>;

const IMPORTS = {
  recordIdMinLength: aNumber(1),
  batchSize: aNumber(1),
  chunkBytes: aNumber(1),
  concurrency: aNumber(1),
  limitBytes: aNumber(1),
  graceMs: aNumber(0),
} satisfies OptionRules<keyof ImportSettings>;

const LIMITS = {
  bodyBytes: aNumber(1),
  bodyTimeoutMs: aTime(1),
  urlBytes: aNumber(1),
  callsPerMinute: aNumber(0),
  failedAuthPerMinute: aNumber(0),
  stores: aFunction,
  exportMinBytesPerSecond: aNumber(0),
  exportPaceAveragedOverMs: aTime(1),
} satisfies OptionRules<keyof RequestLimits>;

const SHARED = {
  idempotency: having(
    'must be an idempotency store, with reserve, markOnce, complete and release',
    ...['reserve', 'markOnce', 'complete', 'release'],
  ),
  leases: having('must be leases, with take', 'take').optional(),
  health: having('must be a store, with get, add and set', 'get', 'add', 'set').optional(),
  ping: required((value) => typeof value === 'function', 'must be a function'),
} satisfies OptionRules<keyof SharedStateSettings>;

const SANDBOX = {
  mailbox: optional((value) => hasMethods(value, 'onMail') && hasParts(value, 'mails'), 'must be a mailbox'),
} satisfies OptionRules<keyof NonNullable<CreateAppOptions['sandbox']>>;

const PROJECT = {
  // Methods that a whole client has, and neither a part of one nor the calls that it is composed of.
  capture: having(
    'must be a client, as createCrfClient makes it',
    ...['getVersion', 'openRecords', 'rows', 'checkFilterLogic', 'call', 'close'],
  ),
  policy: having('must be CallerViews', 'viewOf', 'check').optional(),
  audit: having('must be an AuditTrail', 'record', 'note', 'settled', 'checkWritable').optional(),
  timeZone,
  pseudonymKey: optional(
    (value) => Buffer.isBuffer(value) && value.length >= 16,
    'must be a Buffer of at least 16 bytes',
  ),
  cursorKey: optional(
    (value) => Buffer.isBuffer(value) && value.length === 32,
    'must be a Buffer of 32 bytes',
  ),
  users: aGroup(USERS),
  study: aGroup(STUDY),
  imports: aGroup(IMPORTS),
  redcapUrl: optional(isApiUrl, API_URL_RULE),
  shared: aGroup(SHARED),
} satisfies OptionRules<keyof ProjectOptions>;

const SERVICE = {
  logger: having('must be a pino logger', 'info', 'warn', 'error').optional(),
  docs: aBoolean,
  apiDoor: aBoolean,
  // `true` would trust any address that a client claims (RATE-03).
  trustProxy: optional(
    (value) =>
      (Number.isInteger(value) && (value as number) >= 0) ||
      (Array.isArray(value) && value.every(isProxyNetwork)),
    'must be a number of proxies or a list of their addresses and networks; true is refused',
  ),
  isOverloaded: aFunction,
  helpUrl: z
    .string(HELP_RULE)
    .regex(/^(https:\/\/|mailto:)/, HELP_RULE)
    .optional(),
  requests: having('must be an observer, with began', 'began').optional(),
  access: aGroup(ACCESS),
  auth: aGroup(AUTH),
  files: aGroup({ limitBytes: aNumber(1) } satisfies OptionRules<keyof FileSettings>),
  limits: aGroup(LIMITS),
  sandbox: aGroup(SANDBOX),
};

const OPTIONS = { ...SERVICE, ...PROJECT } satisfies OptionRules<keyof CreateAppOptions>;

const PROJECTS_OPTIONS = {
  ...SERVICE,
  audit: PROJECT.audit,
  shared: PROJECT.shared,
  projects: z.record(
    z.string().regex(PROJECT_NAME),
    aGroup(PROJECT).nonoptional(),
    'must be projects by name',
  ),
  defaultProject: text('must be the name of a project').optional(),
} satisfies OptionRules<keyof ProjectsAppOptions>;

/**
 * Checks the options of an application. @throws {ConfigurationError} names every invalid option, but never its value
 */
export function checkAppOptions(options: unknown): void {
  if (!isObject(options) || !('projects' in options)) return refuseProblems(optionProblems(options, OPTIONS));
  const problems = optionProblems(options, PROJECTS_OPTIONS);
  const { projects, defaultProject } = options;
  const names = isObject(projects) ? Object.keys(projects) : [];
  if (names.length === 0) problems.push({ field: 'projects', message: 'must have at least one project' });
  if (isText(defaultProject) && !names.includes(defaultProject as string))
    problems.push({ field: 'defaultProject', message: 'is not one of the projects' });
  refuseProblems(problems);
}

/** Returns the state of an application of `createApp`. @throws {ConfigurationError} it is something else */
export function checkedState(app: unknown): AppState {
  const state = typeof app === 'function' ? stateOf(app) : undefined;
  if (state === undefined)
    throw new ConfigurationError([
      { field: 'app', message: 'must be an application, as createApp makes it' },
    ]);
  return state;
}
