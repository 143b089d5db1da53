import type { Router } from 'express';
import { readFileSync } from 'node:fs';
import { entityTagOf } from '../http/entity-tag.js';
import { ASSETS } from './assets.js';
import { getPage, pageRouter } from './page-router.js';
import { readStyleSheet } from './style-sheet.js';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** Serves the style sheet, the mark and the scripts of the pages. They contain no personal data and may be cached. */
export function createAssetsRouter(): Router {
  const router = pageRouter();
  for (const path of Object.values(ASSETS)) {
    const text =
      path === ASSETS.styleSheet
        ? readStyleSheet()
        : readFileSync(new URL(`.${path}`, import.meta.url), 'utf8');
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    const etag = entityTagOf(text);
    getPage(router, path, (request, response) => {
      response.setHeader('Cache-Control', 'public, max-age=3600').setHeader('ETag', etag);
      if (request.fresh) return void response.status(304).end();
      response.setHeader('Content-Type', type).end(text);
    });
  }
  // Browsers request it for a page that names no icon, such as a problem document shown on its own.
  router.route('/favicon.ico').get((_request, response) => response.redirect(308, ASSETS.mark));
  return router;
}
