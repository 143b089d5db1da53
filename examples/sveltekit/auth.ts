/** `src/lib/server/auth.ts`: the one authentication service of the application, from its environment. */
import { createAuthService } from 'crf-service';

const { APPWRITE_ENDPOINT, APPWRITE_PROJECT_ID, APPWRITE_API_KEY, LOGIN_URL, ALLOWED_DOMAINS_REGEXP } =
  process.env;

export const auth = createAuthService({
  appwrite: {
    endpoint: APPWRITE_ENDPOINT ?? '',
    projectId: APPWRITE_PROJECT_ID ?? '',
    apiKey: APPWRITE_API_KEY ?? '',
  },
  loginUrl: LOGIN_URL ?? '', // where the mailed link leads: https://app.example.org/login
  domainValidation: { allowedDomainsRegexp: ALLOWED_DOMAINS_REGEXP ?? '' },
});
