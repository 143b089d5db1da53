import { createAuthService, type Auth } from 'crf-service';

let service: Auth | undefined;

/**
 * Returns the one authentication service of the application. It is made when first asked for, because `vite build` loads
 * this module where there are no secrets.
 *
 * @throws {ConfigurationError} names every setting that is missing or wrong
 */
export function auth(): Auth {
  const { APPWRITE_ENDPOINT, APPWRITE_PROJECT_ID, APPWRITE_API_KEY, LOGIN_URL, ALLOWED_DOMAINS_REGEXP } =
    process.env;
  service ??= createAuthService({
    appwrite: {
      endpoint: APPWRITE_ENDPOINT ?? '',
      projectId: APPWRITE_PROJECT_ID ?? '',
      apiKey: APPWRITE_API_KEY ?? '',
    },
    loginUrl: LOGIN_URL ?? '', // where the mailed link leads: https://app.example.org/login
    domainValidation: { allowedDomainsRegexp: ALLOWED_DOMAINS_REGEXP ?? '' },
  });
  return service;
}
