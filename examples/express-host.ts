/**
 * Your own Express application with passwordless sign-in: `POST /api/v1/auth/signup` with `{"email":"…"}` mails a link,
 * which signs the person in and leads to `/mine`. Set APPWRITE_ENDPOINT, APPWRITE_PROJECT_ID, APPWRITE_API_KEY, LOGIN_URL
 * and ALLOWED_DOMAINS_REGEXP, and run `node examples/express-host.ts` with a version of Node that runs TypeScript.
 */
import { createAuthService, type AuthServiceConfig } from 'crf-service';
import {
  createAuthRouter,
  currentSession,
  problemHandler,
  requireScope,
  requireSession,
  sessionHook,
} from 'crf-service/hooks';
import express from 'express';

export function createHostApp(config: AuthServiceConfig): express.Express {
  const auth = createAuthService(config);
  const app = express();
  app.use(createAuthRouter(auth, { origin: new URL(config.loginUrl).origin, afterLogin: '/mine' }));
  app.use(sessionHook(auth, { scopes: ['project:read'] }));
  app.get('/', (_request, response) => void response.send('Everybody may read this.'));
  app.get('/mine', requireSession(), (request, response) => {
    response.json({ hello: currentSession(request)?.email });
  });
  app.get('/records', requireScope('records:read'), (_request, response) => void response.json([]));
  app.use(problemHandler());
  return app;
}

if (process.argv[1] === import.meta.filename) {
  const { APPWRITE_ENDPOINT, APPWRITE_PROJECT_ID, APPWRITE_API_KEY, LOGIN_URL, ALLOWED_DOMAINS_REGEXP } =
    process.env;
  const app = createHostApp({
    appwrite: {
      endpoint: APPWRITE_ENDPOINT ?? '',
      projectId: APPWRITE_PROJECT_ID ?? '',
      apiKey: APPWRITE_API_KEY ?? '',
    },
    loginUrl: LOGIN_URL ?? 'http://localhost:4000/login',
    domainValidation: { allowedDomainsRegexp: ALLOWED_DOMAINS_REGEXP ?? '' },
  });
  app.listen(Number(new URL(LOGIN_URL ?? 'http://localhost:4000/login').port || 4000), '127.0.0.1');
}
