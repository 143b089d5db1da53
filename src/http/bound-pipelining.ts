import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Returns a listener that ends a connection on which more requests than a limit wait for their answers (OPS-03). All of
 * them would be worked on at once, and their answers held for a client that reads none of them. Browsers and the usual
 * libraries send one request at a time.
 *
 * @param most requests of one connection that may be under way
 */
export function boundPipelining(listener: RequestListener, most: number): RequestListener {
  const underWay = new WeakMap<Socket, number>();
  return (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const count = underWay.get(socket) ?? 0;
    if (count >= most) {
      socket.destroy();
      return;
    }
    underWay.set(socket, count + 1);
    response.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
    listener(request, response);
  };
}
