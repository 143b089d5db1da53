import type { Request, Response } from 'express';

/** Returns the response to a request. Express links the two. */
export function responseOf({ res: response }: Request): Response {
  if (response === undefined) throw new TypeError('The request has no response.');
  return response;
}
