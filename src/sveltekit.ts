/** `crf-service/sveltekit`: use `AuthService` in a SvelteKit application. */
export { sessionHandle, type SessionEvent } from './hooks/sveltekit.js';
