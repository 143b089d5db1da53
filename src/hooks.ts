/** `crf-service/hooks`: use `createAuthService` in your own Express application. */
export { createAuthRouter, type AuthRouterOptions } from './app/hooks/auth-router.js';
export {
  currentSession,
  requireScope,
  requireSession,
  sessionHook,
  type SessionHookOptions,
} from './app/hooks/session-hooks.js';
export { problemHandler } from './app/hooks/problem-handler.js';
export type {
  LimitCount,
  LimitStore,
  LimitStoreFactory,
  LimitStoreRequest,
} from './http/middleware/limits/limit-store.js';
