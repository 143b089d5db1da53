/**
 * `src/hooks.server.ts` of a SvelteKit application: `event.locals.user` is the signed-in person, or null, for every
 * request. Declare it in `src/app.d.ts`, as below.
 */
import type { Handle } from '@sveltejs/kit';
import type { SessionUser } from 'crf-service';
import { sessionHandle } from 'crf-service/sveltekit';
import { auth } from './auth.js';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- SvelteKit reads the types of an application from it
  namespace App {
    interface Locals {
      user?: SessionUser | null;
    }
  }
}

export const handle: Handle = sessionHandle(auth);
