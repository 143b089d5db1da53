import * as z from 'zod';
import { API_TOKEN_RULE, ApiToken, API_TOKEN_PATTERN } from '../../domain/identifiers/api-token.js';
import { API_URL_RULE, ApiUrl } from '../../domain/identifiers/api-url.js';
import {
  APPWRITE_API_KEY_PATTERN,
  APPWRITE_API_KEY_RULE,
  APPWRITE_PROJECT_ID_PATTERN,
  APPWRITE_PROJECT_ID_RULE,
  isTimeZone,
  TIME_ZONE_RULE,
} from '../../domain/identifiers/setting-forms.js';
import { FIELD_NAME_RULE, FieldName, isFieldName } from '../../domain/identifiers/names.js';
import { parseAllowedOrigins } from './allowed-origins.js';
import { parseApiKeys, parseScopes } from './api-keys.js';
import { parseAuditLog } from './audit-log.js';
import { parseTrustProxy } from './trust-proxy.js';

/** A whole number within limits. */
function integer(minimum: number, maximum: number) {
  return z.string().transform((text, context) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    context.addIssue(`must be a whole number from ${minimum} to ${maximum}`);
    return z.NEVER;
  });
}

function oneOf<const Values extends readonly [string, ...string[]]>(...values: Values) {
  return z.enum(values, { error: `must be ${values.join(', ')}` });
}

/** A text converted by a parser that returns a value, or an error message as a string. */
function parsed<Value>(parse: (text: string) => Value | string) {
  return z.string().transform((text, context) => {
    const value = parse(text);
    if (typeof value !== 'string') return value;
    context.addIssue(value);
    return z.NEVER;
  });
}

const DAY_MS = 24 * 60 * 60 * 1000;
const milliseconds = integer(1, DAY_MS);
const pause = integer(0, DAY_MS);
const REDIS_URL_RULE = 'must be a redis: or rediss: address with a host';

/** A key that an operator makes up. */
const secretText = z
  .string()
  .regex(/^[\x21-\x7e]{32,256}$/, 'must have 32 to 256 printable characters without blanks');

/** A calendar date in ISO 8601. */
const date = z.iso.date({ error: 'must be a date, as in 2026-01-31' });

/**
 * The whole environment. Every error message completes a sentence that starts with the variable name, and contains no
 * value.
 */
export const EnvironmentSchema = z.object({
  CAPTURE_API_URL: z
    .string()
    .refine(isAccepted(ApiUrl), { error: API_URL_RULE, abort: true })
    .transform((url) => ApiUrl(url))
    .optional(),
  CAPTURE_API_TOKEN: z
    .string()
    .regex(API_TOKEN_PATTERN, { error: API_TOKEN_RULE, abort: true })
    .transform((token) => ApiToken(token))
    .optional(),
  PROJECTS_FILE: z.string().optional(),
  CAPTURE_PROJECT: z.string().optional(),
  CAPTURE_TIME_ZONE: z.string().refine(isTimeZone, TIME_ZONE_RULE).optional(),
  SANDBOX_STUDY: oneOf('classic', 'longitudinal').default('classic'),
  RECORD_ID_MIN_LENGTH: integer(1, 100).default(20),
  STUDY_FILE: z.string().optional(),
  STUDY_START: date.optional(),
  STUDY_END: date.optional(),
  STUDY_TARGET: integer(1, 10_000_000).optional(),
  STUDY_DATE_FIELD: z.string().refine(isFieldName, FIELD_NAME_RULE).optional(),
  SMALL_CELL: integer(1, 1000).default(5),
  USER_SOURCE: oneOf('auto', 'records', 'project-users').default('auto'),
  USER_EMAIL_FIELD: z.string().refine(isFieldName, FIELD_NAME_RULE).default(FieldName('email')),
  USER_ID_FIELD: z.string().refine(isFieldName, FIELD_NAME_RULE).default(FieldName('userid')),

  PORT: integer(0, 65_535).default(3000),
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an address')
    .default('127.0.0.1'),
  NODE_ENV: oneOf('development', 'production', 'test').default('development'),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  ADMIN_PORT: integer(0, 65_535).optional(),
  ADMIN_HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an address')
    .default('127.0.0.1'),
  AUDIT_LOG: parsed(parseAuditLog).optional(),
  AUDIT_PSEUDONYM_KEY: secretText.optional(),
  CRF_UNDO_KEY: secretText.optional(),
  LOG_FORMAT: oneOf('auto', 'json', 'pretty').default('auto'),
  TRUST_PROXY: parsed(parseTrustProxy).default(0),
  HELP_URL: z
    .string()
    .regex(/^(?:https:\/\/|mailto:)[^\s"<>]{1,200}$/, 'must begin with https:// or mailto:')
    .optional(),
  DOCS: oneOf('auto', 'on', 'off').default('auto'),
  DRAIN_DELAY_MS: pause.optional(),
  SHUTDOWN_TIMEOUT_MS: pause.default(25_000),

  API_KEYS: parsed(parseApiKeys).default([]),
  ALLOW_ANONYMOUS: oneOf('true', 'false').optional(),
  ALLOWED_ORIGINS: parsed(parseAllowedOrigins).default([]),
  POLICY_FILE: z.string().optional(),
  PSEUDONYM_KEY: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'must have 64 hexadecimal digits')
    .optional(),
  SESSION_SCOPES: parsed(parseScopes).default(['project:read']),

  APPWRITE_ENDPOINT: z.string().optional(),
  APPWRITE_PROJECT_ID: z.string().regex(APPWRITE_PROJECT_ID_PATTERN, APPWRITE_PROJECT_ID_RULE).optional(),
  APPWRITE_API_KEY: z.string().regex(APPWRITE_API_KEY_PATTERN, APPWRITE_API_KEY_RULE).optional(),
  LOGIN_URL: z.string().optional(),
  // The sign-in checks later whether the expression can be matched without backtracking (MAIL-06).
  ALLOWED_DOMAINS_REGEXP: z.string().refine(isRegularExpression, 'must be a regular expression').optional(),
  SHOW_ALLOWED_DOMAINS: oneOf('true', 'false').default('false'),
  SESSION_MAX_AGE_SECONDS: integer(60, 31_536_000).default(43_200),
  SESSION_IDLE_SECONDS: integer(300, 31_536_000).default(1800),
  SIGNED_LINKS_ONLY: oneOf('true', 'false').default('true'),
  LOGIN_CONFIRM: oneOf('never', 'unbound', 'always').default('never'),

  REDIS_URL: z.string().refine(isRedisUrl, { error: REDIS_URL_RULE, abort: true }).optional(),
  REDIS_KEY_PREFIX: z
    .string()
    .regex(/^[\x21-\x7e]{1,64}$/, 'must have 1 to 64 printable characters without blanks')
    .default('crf:'),
  REDIS_TIMEOUT_MS: integer(50, 60_000).default(1000),

  CAPTURE_CONNECT_TIMEOUT_MS: milliseconds.default(5000),
  CAPTURE_FIRST_BYTE_TIMEOUT_MS: milliseconds.default(30_000),
  CAPTURE_IDLE_TIMEOUT_MS: milliseconds.default(30_000),
  CAPTURE_TOTAL_TIMEOUT_MS: milliseconds.default(120_000),
  CAPTURE_MAX_CONCURRENT: integer(1, 1000).default(8),
  CAPTURE_QUEUE_LIMIT: integer(0, 100_000).default(64),
  CAPTURE_QUEUE_TIMEOUT_MS: pause.default(2000),
  CAPTURE_CALLS_PER_MINUTE: integer(0, 1_000_000).optional(),
  CAPTURE_RETRIES: integer(0, 5).default(2),
  CAPTURE_BREAKER_FAILURES: integer(0, 1000).default(10),
  CAPTURE_BREAKER_RESET_MS: milliseconds.default(10_000),
  CAPTURE_CACHE_SECONDS: integer(0, 86_400).default(30),

  API_CALLS_PER_MINUTE: integer(0, 10_000_000).optional(),
  API_FAILED_AUTH_PER_MINUTE: integer(0, 10_000_000).optional(),
  BODY_LIMIT_BYTES: integer(1024, 2 ** 30).default(1024 * 1024),
  URL_LIMIT_BYTES: integer(1024, 15_000).default(8192),
  EXPORT_MIN_BYTES_PER_SECOND: integer(0, 2 ** 30).default(16 * 1024),
  CAPTURE_IMPORT_ENCODING: oneOf('multipart', 'urlencoded').default('multipart'),
  IMPORT_LIMIT_BYTES: integer(1024, 2 ** 40).default(2 ** 30),
  FILE_LIMIT_BYTES: integer(1024, 2 ** 40).default(128 * 1024 * 1024),
  IMPORT_CHUNK_ROWS: integer(1, 100_000).default(1000),
  IMPORT_CHUNK_BYTES: integer(1024, 2 ** 30).default(4 * 1024 * 1024),
  IMPORT_MAX_CONCURRENT: integer(1, 16).default(4),
  SERVER_HEADERS_TIMEOUT_MS: milliseconds.default(15_000),
  SERVER_IDLE_TIMEOUT_MS: milliseconds.default(60_000),
  SERVER_KEEP_ALIVE_MS: milliseconds.default(65_000),
  SERVER_MAX_CONNECTIONS: integer(1, 1_000_000).default(1000),
  SERVER_MAX_CONNECTIONS_PER_NETWORK: integer(1, 1_000_000).optional(),
  MAX_EVENT_LOOP_DELAY_MS: pause.default(500),
  MAX_HEAP_PERCENT: integer(0, 100).default(90),
});

function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, hash, search } = new URL(text);
  return (protocol === 'redis:' || protocol === 'rediss:') && hostname !== '' && hash === '' && search === '';
}

/** The environment with parsed values and defaults. */
export type ParsedEnvironment = z.output<typeof EnvironmentSchema>;

function isRegularExpression(source: string): boolean {
  return isAccepted((text) => new RegExp(text))(source);
}

function isAccepted(parse: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      parse(text);
      return true;
    } catch {
      return false;
    }
  };
}
