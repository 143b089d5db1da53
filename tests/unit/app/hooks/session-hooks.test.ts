import { expect } from 'chai';
import express from 'express';
import http from 'node:http';
import { problemHandler } from '../../../../src/app/hooks/problem-handler.js';
import { requireScope, requireSession, sessionHook } from '../../../../src/app/hooks/session-hooks.js';
import { closeServer, listen } from '../../../support/start-service.js';

describe('requireSession and requireScope', () => {
  for (const [name, hook] of [
    ['requireSession', requireSession()],
    ['requireScope', requireScope('records:read')],
  ] as const) {
    it(`${name} asks to sign in, not for an API key, which the application does not have`, async () => {
      const app = express();
      app.use(sessionHook({ currentUser: () => Promise.resolve(null) }));
      app.get('/', hook);
      app.use(problemHandler());
      const server = http.createServer(app);
      const response = await fetch(await listen(server));
      const problem = (await response.json()) as object;
      await closeServer(server);

      expect(problem).to.include({
        code: 'unauthenticated',
        detail: 'Sign in first: there is no session, or it is over.',
      });
    });
  }
});
