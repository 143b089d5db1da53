import type { Request } from 'express';

/** HEAD, and what browsers and mail programs send to be ahead of a click: nobody has opened the link yet (LOGIN-01, LOGIN-02). */
export function isReadOnly({ method, headers }: Request): boolean {
  const purpose = [headers['sec-purpose'], headers.purpose, headers['x-moz'], headers['x-purpose']].join(' ');
  return method === 'HEAD' || /prefetch|prerender|preview/i.test(purpose);
}
