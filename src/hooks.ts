/** `crf-service/hooks`: use `createAuthService` in your own Express application. */
export { createAuthRouter, type AuthRouterOptions } from './hooks/auth-router.js';
export {
  currentSession,
  requireScope,
  requireSession,
  sessionHook,
  type SessionHookOptions,
} from './hooks/session-hooks.js';
export { problemHandler } from './hooks/problem-handler.js';
export type {
  LimitCount,
  LimitStore,
  LimitStoreFactory,
  LimitStoreRequest,
} from './middleware/limits/limit-store.js';
