/**
 * Facts from Appwrite's published server-side API specification about the endpoints used for sign-in, read from the
 * OpenAPI document of 1.8.1. The account, magic URL, token and session routes were also compared with that of 1.9.6,
 * but not the `/users` routes. Members marked `since 1.9` are from the models of the 1.9.6 server.
 */

export type MemberType = 'string' | 'boolean' | 'integer' | 'object' | 'strings' | 'objects' | 'date';

export interface Model {
  /** Members that are always present. */
  readonly required: Readonly<Record<string, MemberType>>;
  /** Members that may be missing or null. */
  readonly optional: Readonly<Record<string, MemberType>>;
}

export interface Parameter {
  readonly in: 'body' | 'path' | 'query';
  readonly type: 'string' | 'boolean' | 'strings';
  readonly isRequired: boolean;
}

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As written in the specification. */
  readonly path: string;
  /** The scope that a caller needs. A session has `account`; a key never has it. */
  readonly scope: 'account' | 'sessions.write' | 'users.read' | 'users.write';
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly status: 200 | 201 | 204;
  readonly model: keyof typeof MODELS | undefined;
  /** Calls an hour without a key; 0 means no limit. */
  readonly rateLimit: number;
}

const USER: Model = {
  required: {
    $id: 'string',
    $createdAt: 'date',
    $updatedAt: 'date',
    name: 'string',
    registration: 'date',
    status: 'boolean',
    labels: 'strings',
    passwordUpdate: 'string', // A date, or empty for a person without a password.
    email: 'string',
    phone: 'string',
    emailVerification: 'boolean',
    phoneVerification: 'boolean',
    mfa: 'boolean',
    prefs: 'object',
    targets: 'objects',
    accessedAt: 'date',
  },
  optional: {
    password: 'string',
    hash: 'string',
    hashOptions: 'object',
    // Since 1.9.
    emailCanonical: 'string',
    emailIsFree: 'boolean',
    emailIsDisposable: 'boolean',
    emailIsCorporate: 'boolean',
    emailIsCanonical: 'boolean',
    impersonator: 'boolean',
    impersonatorUserId: 'string',
  },
};

const DEVICE = {
  osCode: 'string',
  osName: 'string',
  osVersion: 'string',
  clientType: 'string',
  clientCode: 'string',
  clientName: 'string',
  clientVersion: 'string',
  clientEngine: 'string',
  clientEngineVersion: 'string',
  deviceName: 'string',
  deviceBrand: 'string',
  deviceModel: 'string',
} as const;

export const MODELS = {
  user: USER,
  session: {
    required: {
      $id: 'string',
      $createdAt: 'date',
      $updatedAt: 'date',
      userId: 'string',
      expire: 'date',
      provider: 'string',
      providerUid: 'string',
      providerAccessToken: 'string',
      providerAccessTokenExpiry: 'string',
      providerRefreshToken: 'string',
      ip: 'string',
      ...DEVICE,
      countryCode: 'string',
      countryName: 'string',
      current: 'boolean',
      factors: 'strings',
      secret: 'string',
      mfaUpdatedAt: 'string',
    },
    optional: {},
  },
  token: {
    required: {
      $id: 'string',
      $createdAt: 'date',
      userId: 'string',
      secret: 'string',
      expire: 'date',
      phrase: 'string',
    },
    optional: {},
  },
  userList: { required: { total: 'integer', users: 'objects' }, optional: {} },
  sessionList: { required: { total: 'integer', sessions: 'objects' }, optional: {} },
} as const satisfies Readonly<Record<string, Model>>;

const inBody = (type: Parameter['type'], isRequired: boolean): Parameter => ({
  in: 'body',
  type,
  isRequired,
});
const inPath: Parameter = { in: 'path', type: 'string', isRequired: true };
const inQuery = (type: Parameter['type']): Parameter => ({ in: 'query', type, isRequired: false });

export const ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/account/tokens/magic-url',
    scope: 'sessions.write',
    parameters: {
      userId: inBody('string', true),
      email: inBody('string', true),
      url: inBody('string', false),
      phrase: inBody('boolean', false),
    },
    status: 201,
    model: 'token',
    rateLimit: 60,
  },
  {
    method: 'POST',
    path: '/account/sessions/token',
    scope: 'sessions.write',
    parameters: { userId: inBody('string', true), secret: inBody('string', true) },
    status: 201,
    model: 'session',
    rateLimit: 10,
  },
  {
    method: 'GET',
    path: '/account',
    scope: 'account',
    parameters: {},
    status: 200,
    model: 'user',
    rateLimit: 0,
  },
  {
    method: 'GET',
    path: '/account/sessions',
    scope: 'account',
    parameters: {},
    status: 200,
    model: 'sessionList',
    rateLimit: 0,
  },
  {
    method: 'GET',
    path: '/users',
    scope: 'users.read',
    parameters: { queries: inQuery('strings'), total: inQuery('boolean') },
    status: 200,
    model: 'userList',
    rateLimit: 0,
  },
  {
    method: 'GET',
    path: '/users/{userId}',
    scope: 'users.read',
    parameters: { userId: inPath },
    status: 200,
    model: 'user',
    rateLimit: 0,
  },
  {
    method: 'PATCH',
    path: '/users/{userId}/status',
    scope: 'users.write',
    parameters: { userId: inPath, status: inBody('boolean', true) },
    status: 200,
    model: 'user',
    rateLimit: 0,
  },
  {
    method: 'DELETE',
    path: '/users/{userId}/sessions/{sessionId}',
    scope: 'users.write',
    parameters: { userId: inPath, sessionId: inPath },
    status: 204,
    model: undefined,
    rateLimit: 0,
  },
  {
    method: 'DELETE',
    path: '/users/{userId}/sessions',
    scope: 'users.write',
    parameters: { userId: inPath },
    status: 204,
    model: undefined,
    rateLimit: 0,
  },
  {
    method: 'DELETE',
    path: '/users/{userId}',
    scope: 'users.write',
    parameters: { userId: inPath },
    status: 204,
    model: undefined,
    rateLimit: 0,
  },
];

/** Error types with their statuses, from the list published with the specification. */
export const ERROR_STATUSES: Readonly<Record<string, number>> = {
  general_argument_invalid: 400,
  general_query_invalid: 400,
  user_invalid_token: 401,
  user_session_already_exists: 401,
  general_unauthorized_scope: 401,
  user_unauthorized: 401,
  user_blocked: 403,
  project_not_found: 404,
  user_not_found: 404,
  user_session_not_found: 404,
  general_route_not_found: 404,
  general_unknown: 500,
};
