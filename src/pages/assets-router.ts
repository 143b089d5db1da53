import express, { type Router } from 'express';
import { readFileSync } from 'node:fs';
import { STYLE_SHEET_PATH } from './layout.js';
import { refuseMethod } from './refuse-method.js';

/** Serves the one style sheet of the pages. It holds nothing of anybody, and may be cached. */
export function createAssetsRouter(): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  const styleSheet = readFileSync(new URL('./pages.css', import.meta.url), 'utf8');
  router
    .route(STYLE_SHEET_PATH)
    .get((_request, response) => {
      response
        .setHeader('Content-Type', 'text/css; charset=utf-8')
        .setHeader('Cache-Control', 'public, max-age=3600')
        .end(styleSheet);
    })
    .all(refuseMethod('GET', 'HEAD'));
  return router;
}
