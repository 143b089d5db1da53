/** `crf-service/sveltekit`: use `createAuthService` in a SvelteKit application. */
export { problemOf, sessionHandle, type ProblemBody, type SessionEvent } from './app/hooks/sveltekit.js';
export type { SessionUser } from './services/auth/auth-types.js';
