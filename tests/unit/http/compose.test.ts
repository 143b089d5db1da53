import { expect } from 'chai';
import express, { type NextFunction, type Request, type Response } from 'express';
import request from 'supertest';
import { compose } from '../../../src/http/compose.js';

describe('compose', () => {
  /** Runs handlers as one, and tells the order and what reached the error handler. */
  async function run(...handlers: Parameters<typeof compose>[0]) {
    const app = express();
    app.use(compose(handlers));
    app.use((_request, response) => response.send('went on'));
    app.use((error: Error, _request: Request, response: Response, _next: NextFunction) => {
      response.status(500).send(error.message);
    });
    const { text } = await request(app).get('/');
    return text;
  }

  it('runs one after the other, then calls next', async () => {
    const seen: number[] = [];
    const step = (position: number) => (_request: Request, _response: Response, next: NextFunction) => {
      seen.push(position);
      next();
    };

    expect(await run(step(1), step(2), step(3))).to.equal('went on');
    expect(seen).to.deep.equal([1, 2, 3]);
  });

  it('calls next when there is nothing to run', async () => {
    expect(await run()).to.equal('went on');
  });

  it('ends with whatever answers', async () => {
    const text = await run(
      (_request, response) => void response.send('here'),
      () => {
        throw new Error('not reached');
      },
    );
    expect(text).to.equal('here');
  });

  const later = (_request: Request, _response: Response, next: NextFunction): void =>
    void setImmediate(() => next());

  for (const [how, handler] of Object.entries<Parameters<typeof compose>[0][number]>({
    'is handed to next': (_request, _response, next) => next(new Error('refused')),
    'is thrown': () => {
      throw new Error('refused');
    },
    'is rejected with': () => Promise.reject(new Error('refused')),
  })) {
    it(`hands on what ${how}`, async () => {
      expect(await run(handler)).to.equal('refused');
    });

    it(`hands on what ${how} after a step taken later, from a callback`, async () => {
      expect(await run(later, handler)).to.equal('refused');
    });
  }
});
