import { constants } from 'node:zlib';
import compression from 'compression';
import type { Request, Response } from 'express';
import { requestState } from '../request-state.js';

const DATA = /^(application\/(json|x-ndjson|xml)|text\/(csv|xml))\b/;

/**
 * Compresses data for callers whose `Accept-Encoding` permits it. Each write is flushed: rows reach the caller as they
 * arrive, and writes are large wherever there are many. The window of Brotli would be 4 MiB for each answer.
 */
export const compressData = compression({
  filter: isData,
  flush: constants.Z_SYNC_FLUSH,
  brotli: { flush: constants.BROTLI_OPERATION_FLUSH, params: { [constants.BROTLI_PARAM_LGWIN]: 18 } },
});

/**
 * Pages and the sign-in hold secrets beside what a caller sent, which the length of a compressed answer would betray
 * (BREACH). Files have a length, and are mostly compressed already.
 */
function isData(request: Request, response: Response): boolean {
  const { template = '', answerTypes = [] } = requestState(request).operation ?? {};
  const isExempt = template.startsWith('/api/v1/auth/') || answerTypes.includes('*/*');
  return template.startsWith('/api/') && !isExempt && DATA.test(String(response.getHeader('Content-Type')));
}
