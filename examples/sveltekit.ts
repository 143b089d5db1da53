/**
 * `AuthService` with SvelteKit: its `cookies` object is what the service asks for, as it is. The types below are those
 * of `@sveltejs/kit` that matter here, written out so that this file is checked without it.
 */
import { createAuthService, type SessionUser } from '../src/index.js'; // 'crf-service' in your application

/** `Cookies` of @sveltejs/kit: the three methods, with the options of the `cookie` package. */
interface SvelteKitCookies {
  get(name: string, options?: { decode?: (value: string) => string }): string | undefined;
  set(name: string, value: string, options: SvelteKitCookieOptions): void;
  delete(name: string, options: SvelteKitCookieOptions): void;
}

interface SvelteKitCookieOptions {
  path: string;
  httpOnly?: boolean;
  secure?: boolean;
  sameSite?: boolean | 'lax' | 'strict' | 'none';
  expires?: Date;
  maxAge?: number;
}

interface RequestEvent {
  readonly cookies: SvelteKitCookies;
  readonly url: URL;
  readonly locals: { user?: SessionUser | null };
}

type AuthConfig = Parameters<typeof createAuthService>[0];

/** `src/hooks.server.ts`: `event.locals.user` for every request. */
export function createHandle(config: AuthConfig) {
  const auth = createAuthService(config);
  return async <T>({
    event,
    resolve,
  }: {
    event: RequestEvent;
    resolve: (event: RequestEvent) => T;
  }): Promise<T> => {
    event.locals.user = await auth.currentUser(event.cookies);
    return resolve(event);
  };
}

/** `src/routes/login/+server.ts`: uses the link, and says where to go. */
export function createLoginRoute(config: AuthConfig) {
  const auth = createAuthService(config);
  return async ({ cookies, url }: RequestEvent): Promise<{ redirect: string }> => {
    const { userId = '', secret = '', st } = Object.fromEntries(url.searchParams);
    await auth.login(userId, secret, cookies, { st });
    return { redirect: '/dashboard' };
  };
}
