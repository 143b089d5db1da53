/** `crf-service/sveltekit`: `AuthService` in a SvelteKit application. */
export { sessionHandle, type SessionEvent } from './hooks/sveltekit.js';
