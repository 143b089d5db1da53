import type { Request } from 'express';

/** Whether the caller prefers CSV over JSON, which is the default. Other types have been refused before. */
export function acceptsCsv(request: Request): boolean {
  return request.accepts(['application/json', 'text/csv']) === 'text/csv';
}

/** Whether the body is CSV. Anything other than CSV and JSON has been refused before. */
export function bodyIsCsv(request: Request): boolean {
  return request.is('text/csv') === 'text/csv';
}
