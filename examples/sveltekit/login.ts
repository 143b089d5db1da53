/**
 * `src/routes/login/+server.ts`: where the mailed link leads. SvelteKit answers a HEAD request from GET, and browsers
 * load links before anybody opens them: neither may use the link up.
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
