/**
 * `src/routes/login/+server.ts`: the target of the mailed link. SvelteKit answers HEAD requests with the GET handler, and
 * browsers prefetch links. Neither may use up the link.
 */
import { redirect, type RequestHandler } from '@sveltejs/kit';
import { auth } from './auth.js';

export const HEAD: RequestHandler = () => new Response(null, { status: 204 });

export const GET: RequestHandler = async ({ cookies, request, url }) => {
  if (request.headers.has('sec-purpose')) return new Response(null, { status: 204 });

  const { userId = '', secret = '', st } = Object.fromEntries(url.searchParams);
  await auth.login(userId, secret, cookies, { st });
  redirect(302, '/dashboard');
};
