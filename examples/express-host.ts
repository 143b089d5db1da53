/** Your own Express application with passwordless sign-in: set the variables, run it, open /login in the mail. */
import express from 'express';
import { createAuthService, type AuthServiceConfig } from '../src/index.js'; // 'crf-service' in your application
import {
  createAuthRouter,
  currentSession,
  problemHandler,
  requireScope,
  requireSession,
  sessionHook,
} from '../src/hooks.js'; // 'crf-service/hooks'

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
