import http from 'node:http';
import { text as readText } from 'node:stream/consumers';

/** One request over HTTP. */
export interface Sending {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** When the client disconnects, if it does. */
export type Leaving = 'at once' | 'with the head' | undefined;

/** A complete answer. */
export interface WholeAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** The connection broke before the answer was complete, and how. */
export type Cut = `cut: ${string}`;

/**
 * Sends a request.
 *
 * @returns the answer, or how the connection broke; `left` if the client disconnected
 */
export function send(
  base: string,
  agent: http.Agent,
  { body, ...sending }: Sending,
  leaving?: Leaving,
): Promise<WholeAnswer | Cut | 'left'> {
  return new Promise((resolve) => {
    const request = http.request(base + sending.path, { agent, ...sending });
    const cut = ({ code, message }: NodeJS.ErrnoException): Cut =>
      `cut: ${code ?? message} on a ${request.reusedSocket ? 'used' : 'new'} connection`;
    request.on('error', (error) => resolve(leaving === undefined ? cut(error) : 'left'));
    request.once('response', (response) => {
      if (leaving !== undefined) {
        request.destroy();
        resolve('left');
        return;
      }
      const { statusCode: status = 0, headers } = response;
      readText(response).then(
        (text) => resolve({ status, type: headers['content-type'] ?? '', text }),
        (error: Error) => resolve(cut(error)),
      );
    });
    request.end(body);
    // What was written is sent before the connection closes.
    if (leaving === 'at once') request.once('finish', () => request.destroy(new Error('left')));
  });
}
