import type { FaultServer, RecordedRequest } from './fault-server.js';

/** An answer of the server behind a fault server. */
export interface ForwardedAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Sends a request that a fault server has read to the server behind it, and answers with what that one said. */
export async function forward(url: FaultServer['url'], { body }: RecordedRequest): Promise<ForwardedAnswer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
  return {
    kind: 'answer',
    status: answer.status,
    headers: { 'content-type': answer.headers.get('content-type') ?? '' },
    body: Buffer.from(await answer.arrayBuffer()),
  };
}
