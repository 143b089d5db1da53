import http from 'node:http';
import { once } from 'node:events';

/** One request and its outcome. */
export interface LoadAnswer {
  readonly path: string;
  readonly sentAt: number;
  /** The status, or an error code. */
  readonly outcome: number | string;
  readonly connection: string | undefined;
}

/** Requests at a steady rate, over keep-alive connections. */
export interface SteadyLoad {
  /** The finished requests, in the order in which they ended. */
  readonly answers: readonly LoadAnswer[];
  /** Stops sending, and resolves when the last request has finished. */
  stop(): Promise<void>;
}

/** Sends a request every `everyMs`, even if earlier ones are still pending. */
export function startLoad(base: string, paths: readonly string[], everyMs: number): SteadyLoad {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 10 });
  const answers: LoadAnswer[] = [];
  const underWay = new Set<Promise<void>>();
  let count = 0;
  const timer = setInterval(() => {
    const request = send(base, paths[count++ % paths.length] ?? '/', agent).then((answer) => {
      answers.push(answer);
      underWay.delete(request);
    });
    underWay.add(request);
  }, everyMs);
  return {
    answers,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
      agent.destroy();
    },
  };
}

async function send(base: string, path: string, agent: http.Agent): Promise<LoadAnswer> {
  const sentAt = performance.now();
  const request = http.get(base + path, { agent });
  try {
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    for await (const _chunk of response); // read to the end: a truncated body throws
    return { path, sentAt, outcome: response.statusCode ?? 0, connection: response.headers.connection };
  } catch (error) {
    return { path, sentAt, outcome: (error as NodeJS.ErrnoException).code ?? 'error', connection: undefined };
  }
}
