import type { NextFunction, Request, Response } from 'express';

/** Log, metrics, audit log, load shedding and cancellation listen once each, and a pipeline into the response six times. */
const MAX_LISTENERS = 20;

/** Lets a response have as many listeners as its stages need. Node warns of a leak from the eleventh on. */
export function allowListeners(_request: Request, response: Response, next: NextFunction): void {
  response.setMaxListeners(MAX_LISTENERS);
  next();
}
