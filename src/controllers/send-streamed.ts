import type { Request, Response } from 'express';
import { attachment } from '../http/file-headers.js';
import type { FileAnswer } from '../services/files/file-answer.js';
import type { StreamedAnswer } from '../services/streamed-answer.js';

/**
 * Writes an answer of any length. What fails before the first byte is thrown, and becomes a problem; what fails later has
 * destroyed the connection when this returns (STR-01). A HEAD has the same headers, and REDCap's answer is given up.
 *
 * @param setHeaders sets what this answer has beside its content type
 * @returns never what it says: the answer is on its way, and tsoa leaves an answer alone whose headers are sent
 */
export async function sendStreamed<T, Answer extends StreamedAnswer>(
  request: Request,
  open: () => Promise<Answer>,
  setHeaders: (response: Response, answer: Answer) => void = () => undefined,
): Promise<T> {
  const { res: response, socket } = request;
  if (response === undefined) throw new TypeError('The request has no response.');

  const answer = await open();
  response.status(200).setHeader('Content-Type', answer.contentType);
  setHeaders(response, answer);
  if (request.method === 'HEAD') {
    answer.cancel();
    response.end();
  } else {
    // What was given to the socket and has left it.
    await answer.pipeTo(response, () => socket.bytesWritten - socket.writableLength);
  }
  return undefined as T; // see @returns
}

/**
 * Sends a file: to be saved and never shown, whatever it is, for who uploaded it may have meant it for the browser of
 * whoever opens it.
 */
export function sendFile(request: Request, open: () => Promise<FileAnswer>): Promise<void> {
  return sendStreamed(request, open, (response, { fileName, length }) => {
    response.setHeader('Content-Disposition', attachment(fileName));
    response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
    if (length !== undefined) response.setHeader('Content-Length', length);
  });
}
