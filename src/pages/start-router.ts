import express, { type Router } from 'express';
import { refuseMethod } from './refuse-method.js';
import { sendPage } from './send-page.js';
import { startPage, type StartOptions } from './start-page.js';

/** Serves the start page at `/`. */
export function createStartRouter(options: StartOptions): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router
    .route('/')
    .get((_request, response) => sendPage(response, startPage(options)))
    .all(refuseMethod('GET', 'HEAD'));
  return router;
}
