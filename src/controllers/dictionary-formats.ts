import type { Request } from 'express';

/** Whether the caller accepts CSV better than JSON, which is the default. What accepts neither was refused before. */
export function acceptsCsv(request: Request): boolean {
  return request.accepts(['application/json', 'text/csv']) === 'text/csv';
}

/** Whether the body is CSV. What is neither CSV nor JSON was refused before. */
export function bodyIsCsv(request: Request): boolean {
  return request.is('text/csv') === 'text/csv';
}
