import { expect } from 'chai';
import express, { type NextFunction, type Request, type Response } from 'express';
import request from 'supertest';
import { compose } from '../../../src/http/compose.js';

describe('compose', () => {
  /** Runs handlers as one, and returns the text of the answer or of the error. */
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

  it('runs the handlers in order, then calls next', async () => {
    const seen: number[] = [];
    const step = (position: number) => (_request: Request, _response: Response, next: NextFunction) => {
      seen.push(position);
      next();
    };

    expect(await run(step(1), step(2), step(3))).to.equal('went on');
    expect(seen).to.deep.equal([1, 2, 3]);
  });

  it('calls next if there are no handlers', async () => {
    expect(await run()).to.equal('went on');
  });

  it('stops at the handler that answers', async () => {
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
    'passed to next': (_request, _response, next) => next(new Error('refused')),
    thrown: () => {
      throw new Error('refused');
    },
    'thrown asynchronously': () => Promise.reject(new Error('refused')),
  })) {
    it(`forwards an error that is ${how}`, async () => {
      expect(await run(handler)).to.equal('refused');
    });

    it(`forwards an error that is ${how} after an asynchronous handler`, async () => {
      expect(await run(later, handler)).to.equal('refused');
    });
  }
});
