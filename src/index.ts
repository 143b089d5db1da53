/** The main entry point: the application, its server, the client library, and the authentication service. */
export { beginShutdown, createApp } from './app/app.js';
export type {
  AccessSettings,
  AuthSettings,
  CreateAppOptions,
  ImportSettings,
  ProjectOptions,
  ProjectsAppOptions,
  RequestLimits,
  SharedStateSettings,
} from './app/create-app-options.js';
export type {
  LimitCount,
  LimitStore,
  LimitStoreFactory,
  LimitStoreRequest,
} from './http/middleware/limits/limit-store.js';
export { CallerViews, type CallerViewsOptions, type PolicyFiles } from './policy/caller-views.js';
export { loadPolicyFiles } from './policy/load-policy-files.js';
export { AuditFile } from './gateways/audit/audit-file.js';
export type { SessionGrant } from './services/access/access-control.js';
export type { AuditEnd, AuditSink } from './gateways/audit/audit-sink.js';
export { AuditTrail, type AuditTrailOptions } from './services/audit/audit-trail.js';
export type { AuditEntry, AuditEventType } from './services/audit/audit-entry.js';
export type { AuditDetails } from './records/audit-notes.js';
export { createHttpServer, type HttpServerOptions } from './http/http-server.js';
export { createApiKey, createRedcapKey, hashApiKey, type ApiKey } from './services/access/api-key.js';
export { SCOPES, type Scope } from './domain/identifiers/scope.js';
export { createAuthService } from './services/auth/create-auth-service.js';
export type { AuthServiceConfig } from './services/auth/auth-settings.js';
export type { AuthEvent, AuthEventType } from './services/auth/auth-event.js';
export type {
  AccountSwitch,
  Auth,
  CookieAttributes,
  CookieStore,
  LinkCheck,
  LoginConfirm,
  LoginOptions,
  PersonalData,
  SessionSummary,
  SessionUser,
  SignupResult,
} from './services/auth/auth-types.js';
export * from './client.js';
