import http from 'node:http';
import { once } from 'node:events';

/** One request and what became of it. */
export interface LoadAnswer {
  readonly path: string;
  readonly sentAt: number;
  /** The status, or the code of what broke. */
  readonly outcome: number | string;
  readonly connection: string | undefined;
}

/** Requests at a steady rate, over connections that are kept alive. */
export interface SteadyLoad {
  /** Those that are over, in the order in which they ended. */
  readonly answers: readonly LoadAnswer[];
  /** Sends no more, and resolves when the last request is over. */
  stop(): Promise<void>;
}

/** Sends a request every `everyMs`, whether or not those before it are answered. */
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
    for await (const _chunk of response); // to its end: a body that is cut throws
    return { path, sentAt, outcome: response.statusCode ?? 0, connection: response.headers.connection };
  } catch (error) {
    return { path, sentAt, outcome: (error as NodeJS.ErrnoException).code ?? 'error', connection: undefined };
  }
}
