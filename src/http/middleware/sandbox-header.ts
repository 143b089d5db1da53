import type { NextFunction, Request, Response } from 'express';

/** Marks every response as coming from the sandbox. */
export function sandboxHeader(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Crf-Sandbox', 'true');
  next();
}
