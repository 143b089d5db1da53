import { once } from 'node:events';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Fault, FaultServer, RecordedRequest } from './fault-server.js';

/**
 * Sends a form to the server behind a fault server, over a new connection, and returns its response as a fault.
 *
 * @param url of the server
 */
export async function forward(
  url: FaultServer['url'],
  { body, headers: sent }: Pick<RecordedRequest, 'body'> & Partial<Pick<RecordedRequest, 'headers'>>,
): Promise<Extract<Fault, { kind: 'answer' }> & { body: Buffer }> {
  const headers = { 'content-type': sent?.['content-type'] ?? 'application/x-www-form-urlencoded' };
  const request = http.request(url, { method: 'POST', agent: false, headers }).end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return {
    kind: 'answer',
    status: response.statusCode ?? 0,
    headers: { 'content-type': response.headers['content-type'] ?? '' },
    body: await buffer(response),
  };
}
