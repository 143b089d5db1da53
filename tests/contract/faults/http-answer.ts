import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { TestService } from '../../support/start-service.js';

/** What a client of the service sees. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Whether the answer was complete; `false` if the connection broke. */
  readonly isWhole: boolean;
  /** The problem document, if the answer is one. */
  readonly problem: Readonly<Record<string, unknown>>;
}

export interface HttpQuestion {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export const MEDIA_TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
} as const;

/** Sends a request over a new connection, and reads as much of the answer as arrives. */
export async function ask(
  { url, authorization }: Pick<TestService, 'url' | 'authorization'>,
  path: string,
  { method = 'GET', headers = {}, body }: HttpQuestion = {},
): Promise<HttpAnswer> {
  const request = http.request(url + path, { method, agent: false, headers: { authorization, ...headers } });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  response.on('error', () => undefined); // A broken connection is one of the possible answers.
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => response.once('close', resolve));
  const bytes = Buffer.concat(chunks);
  const isProblem = response.headers['content-type']?.startsWith('application/problem+json') ?? false;
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: bytes,
    isWhole: response.complete,
    problem: isProblem ? (JSON.parse(bytes.toString()) as Record<string, unknown>) : {},
  };
}
