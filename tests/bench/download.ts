import http from 'node:http';

/** One request of the bench. */
export interface Download {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent in pieces, so that a large body is not copied. */
  readonly body?: readonly Buffer[];
}

export interface Downloaded {
  readonly ms: number;
  readonly firstByteMs: number;
  readonly bytes: number;
  readonly status: number;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
const LIMIT_MS = 60_000;

/**
 * Makes a request and discards the answer as it arrives.
 *
 * @param onChunk receives each piece of the answer
 * @throws {Error} if the answer is not a 200, or not complete within a minute
 */
export function download(
  { url, method = 'GET', headers = {}, body = [] }: Download,
  onChunk: (chunk: Buffer) => void = () => undefined,
): Promise<Downloaded> {
  return new Promise((resolve, reject) => {
    const length = body.reduce((sum, piece) => sum + piece.length, 0);
    const started = performance.now();
    const signal = AbortSignal.timeout(LIMIT_MS);
    const options = { method, agent, signal, headers: { ...headers, 'content-length': length } };
    const request = http.request(url, options, (response) => {
      let [bytes, firstByteMs] = [0, Number.NaN];
      response.on('data', (chunk: Buffer) => {
        if (bytes === 0) firstByteMs = performance.now() - started;
        bytes += chunk.length;
        onChunk(chunk);
      });
      response.once('error', reject);
      response.once('end', () => {
        const { statusCode: status = 0 } = response;
        if (status === 200) resolve({ ms: performance.now() - started, firstByteMs, bytes, status });
        else reject(new Error(`${method} ${new URL(url).pathname} answered ${status}.`));
      });
    });
    request.once('error', reject);
    for (const piece of body) request.write(piece);
    request.end();
  });
}

/** The number of bytes of an answer. */
export async function bytesOf(request: Download): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await download(request, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks);
}
