import {
  aBoolean,
  aFunction,
  aNumber,
  aTime,
  hasMethods,
  isObject,
  required,
  optional,
  optionalGroupProblems,
  optionProblems,
  refuseProblems,
} from '../errors/check-options.js';
import type { FieldProblem } from '../errors/field-problem.js';
import { isFieldName } from '../identifiers/field-name.js';
import { isProxyNetwork } from '../identifiers/proxy-network.js';
import { isTimeZone, TIME_ZONE_RULE } from '../identifiers/time-zone.js';
import { isScope, SCOPES } from '../identifiers/scope.js';

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isListOf = (isItem: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isItem);
const isDate = (value: unknown): boolean => value instanceof Date && !Number.isNaN(value.getTime());
const scopes = (value: unknown): boolean => isListOf(isScope)(value);
const SCOPES_RULE = `must be a list of scopes: ${SCOPES.join(', ')}`;

const OPTIONS = {
  capture: required(isObject, 'must be a client, as createCrfClient makes it'),
  logger: optional((value) => hasMethods(value, 'info', 'warn', 'error'), 'must be a pino logger'),
  audit: optional((value) => hasMethods(value, 'record', 'note', 'settled'), 'must be an AuditTrail'),
  docs: aBoolean,
  // `true` would trust any address that a client claims (RATE-03).
  trustProxy: optional(
    (value) => (Number.isInteger(value) && (value as number) >= 0) || isListOf(isProxyNetwork)(value),
    'must be a number of proxies or a list of their addresses and networks; true is refused',
  ),
  shared: optional(
    (value) => hasMethods(value, 'ping') && isObject((value as { idempotency?: unknown }).idempotency),
    'must have an idempotency store and ping',
  ),
  isOverloaded: aFunction,
  timeZone: optional(isTimeZone, TIME_ZONE_RULE),
  helpUrl: optional(
    (value) => isText(value) && /^(https:\/\/|mailto:)/.test(value as string),
    'must begin with https:// or mailto:',
  ),
};

const isDay = (value: unknown): boolean => isText(value) && /^\d{4}-\d\d-\d\d$/.test(value as string);

const STUDY = {
  start: optional(isDay, 'must be a date, as in 2026-01-31'),
  end: optional(isDay, 'must be a date, as in 2026-01-31'),
  target: aNumber(1),
  dateField: optional(isFieldName, 'must be the name of a field'),
  smallCell: aNumber(1),
};

const ACCESS = {
  allowAnonymous: aBoolean,
  isLoopbackOnly: aBoolean,
  sessionScopes: optional(scopes, SCOPES_RULE),
  apiKeys: optional(Array.isArray, 'must be a list of API keys'),
};

const API_KEY = {
  name: required(isText, 'must be a string'),
  sha256: required(
    (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
    'must be 64 lower-case hexadecimal digits, as hashApiKey makes them',
  ),
  scopes: required(scopes, SCOPES_RULE),
  expiresAt: optional(isDate, 'must be a valid Date'),
};

const AUTH = {
  service: required(isObject, 'must be an authentication service, as createAuthService makes it'),
  isSandbox: aBoolean,
  trustedOrigins: required(isListOf(isText), 'must be a list of origins, as in https://crf.example.org'),
};

const USERS = {
  userSource: optional(
    (value) => ['auto', 'records', 'project-users'].includes(value as string),
    'must be auto, records or project-users',
  ),
  userEmailField: optional(isFieldName, 'must be the name of a field'),
  userIdField: optional(isFieldName, 'must be the name of a field'),
};

const IMPORTS = {
  recordIdMinLength: aNumber(1),
  chunkRows: aNumber(1),
  chunkBytes: aNumber(1),
  concurrency: aNumber(1),
  limitBytes: aNumber(1),
};

const FILES = { limitBytes: aNumber(1) };

const LIMITS = {
  bodyBytes: aNumber(1),
  bodyTimeoutMs: aTime(1),
  urlBytes: aNumber(1),
  callsPerMinute: aNumber(0),
  failedAuthPerMinute: aNumber(0),
  stores: aFunction,
  exportMinBytesPerSecond: aNumber(0),
  exportPaceAveragedOverMs: aTime(1),
};

/**
 * Checks the options of an application. @throws {ConfigurationError} names every invalid option, but never its value
 */
export function checkAppOptions(options: unknown): void {
  const given = isObject(options) ? options : {};
  refuseProblems([
    ...optionProblems(options, OPTIONS),
    ...optionalGroupProblems(given.access, ACCESS, 'access'),
    ...apiKeyProblems(given.access),
    ...optionalGroupProblems(given.auth, AUTH, 'auth'),
    ...optionalGroupProblems(given.users, USERS, 'users'),
    ...optionalGroupProblems(given.study, STUDY, 'study'),
    ...optionalGroupProblems(given.imports, IMPORTS, 'imports'),
    ...optionalGroupProblems(given.files, FILES, 'files'),
    ...optionalGroupProblems(given.limits, LIMITS, 'limits'),
    ...optionalGroupProblems(
      given.sandbox,
      { mailbox: optional((value) => isObject(value) && 'mails' in value, 'must be a mailbox') },
      'sandbox',
    ),
  ]);
}

function apiKeyProblems(access: unknown): FieldProblem[] {
  const keys = isObject(access) && Array.isArray(access.apiKeys) ? access.apiKeys : [];
  return keys.flatMap((key: unknown, index) => optionProblems(key, API_KEY, `access.apiKeys[${index}]`));
}
