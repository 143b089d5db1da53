/**
 * Files for an application made by `npx sv create`. `event.locals.user` is the signed-in person, or null, for every
 * request. Wrong settings stop the start.
 */
import { building } from '$app/environment';
import type { Handle, ServerInit } from '@sveltejs/kit';
import type { ProblemBody, SessionUser } from 'crf-service/sveltekit';
import { sessionHandle } from 'crf-service/sveltekit';
import { auth } from './lib/server/auth.js';
import { showProblem } from './lib/server/show-problem.js';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- SvelteKit reads the types of an application from it
  namespace App {
    interface Locals {
      user?: SessionUser | null;
    }
    interface Error extends Partial<ProblemBody> {
      message: string;
    }
  }
}

export const init: ServerInit = () => {
  if (!building) auth();
};

export const handle: Handle = (request) => sessionHandle(auth())(request).catch(showProblem);
