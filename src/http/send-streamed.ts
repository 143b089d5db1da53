import type { Request, Response } from 'express';
import type { StreamedAnswer } from '../records/streaming/streamed-answer.js';
import { responseOf } from './request-state.js';

/**
 * Streams a response of any length. An error before the first byte is thrown and becomes a problem document; after a
 * later error the connection is destroyed when this returns (STR-01). A HEAD request gets the same headers, and
 * REDCap's response is cancelled.
 *
 * @param setHeaders sets the headers of this response other than the content type
 * @returns nothing: the return type only satisfies tsoa, which ignores the value once the headers are sent
 */
export async function sendStreamed<T, Answer extends StreamedAnswer>(
  request: Request,
  open: () => Promise<Answer>,
  setHeaders: (response: Response, answer: Answer) => void = () => undefined,
): Promise<T> {
  const response = responseOf(request);
  const { socket } = request;

  const answer = await open();
  response.status(200).setHeader('Content-Type', answer.contentType);
  setHeaders(response, answer);
  if (request.method === 'HEAD') {
    answer.cancel();
    response.end();
  } else {
    // The number of bytes that have left the socket, which hold about ten times as much data if they are compressed.
    const before = socket.bytesWritten;
    await answer.pipeTo(
      response,
      () =>
        (socket.bytesWritten - before - socket.writableLength) *
        (response.hasHeader('Content-Encoding') ? 10 : 1),
    );
  }
  return undefined as T; // see @returns
}
