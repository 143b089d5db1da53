import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { CrfError } from '../../src/domain/errors/crf-error.js';
import { RateLimitedError } from '../../src/domain/errors/access-errors.js';

/**
 * Returns an app that answers 200 behind the handlers, or the status given in the query. An error of the handlers is
 * answered with 429 or 503, its code and `Retry-After`. The client's address is that of `X-Forwarded-For`.
 */
export function appBehind(...handlers: readonly RequestHandler[]): Express {
  const app = express();
  app.set('trust proxy', 1);
  app.use(express.json());
  app.use(...handlers, ({ query }: Request, response: Response) => {
    response.status(Number(query.status ?? 200)).end();
  });
  app.use((error: Error, _request: Request, response: Response, _next: NextFunction) => {
    if (!(error instanceof CrfError)) throw error;
    response.status(error instanceof RateLimitedError ? 429 : 503);
    response.setHeader('Retry-After', String(error.retryAfterSeconds)).json({ code: error.code });
  });
  return app;
}
