import type { NextFunction, Request, Response } from 'express';

/** Says on every answer that nothing behind it is real. */
export function sandboxHeader(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Crf-Sandbox', 'true');
  next();
}
