/**
 * The page that requests a link, and the target of the mailed link. Limit the requests of each network in the proxy in
 * front, as `createAuthRouter` does in Express.
 */
import { fail, redirect, type Actions, type ServerLoad } from '@sveltejs/kit';
import { problemOf } from 'crf-service/sveltekit';
import { auth } from '../../lib/server/auth.js';
import { showProblem } from '../../lib/server/show-problem.js';

export const load: ServerLoad = async ({ cookies, request, url }) => {
  const { userId, secret, st } = Object.fromEntries(url.searchParams);
  // Mail programs and browsers look at links before people open them, which must not use up the link.
  const isLookedAt = request.method === 'HEAD' || request.headers.has('sec-purpose');
  if (userId === undefined || secret === undefined || isLookedAt) return;

  const userAgent = request.headers.get('user-agent') ?? undefined;
  await auth().login(userId, secret, cookies, { st, userAgent }).catch(showProblem);
  redirect(302, '/dashboard');
};

export const actions: Actions = {
  default: async ({ cookies, request }) => {
    const email = (await request.formData()).get('email');
    const userAgent = request.headers.get('user-agent') ?? undefined;
    try {
      return await auth().signupWithEmail(typeof email === 'string' ? email : '', cookies, { userAgent });
    } catch (thrown) {
      const problem = problemOf(thrown);
      return problem !== undefined && problem.status < 500
        ? fail(problem.status, { problem: problem.body.message })
        : showProblem(thrown);
    }
  },
};
