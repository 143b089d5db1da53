import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** One kind of request of the mix, and the only answer it may get. */
interface Kind {
  readonly method: string;
  readonly path: (turn: number) => string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: (turn: number) => string;
  readonly status: number;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Records that are written repeatedly, so that the study does not grow. */
const recordOf = (turn: number): string => `SOAKED-FOR-AN-HOUR-${turn % 50}`;

/** The requests in turn. None of them leaves more data behind than there was. */
const KINDS: readonly Kind[] = [
  { method: 'GET', path: () => '/api/v1/project/version', status: 200 },
  { method: 'GET', path: () => '/api/v1/project/fields', status: 200 },
  {
    method: 'GET',
    path: (turn) => `/api/v1/records?limit=${1 + (turn % 40)}&fields=record_id,age`,
    status: 200,
  },
  { method: 'GET', path: () => '/api/v1/records?batchSize=7&filterLogic=[age]>40', status: 200 },
  {
    method: 'GET',
    path: () => '/api/v1/records?values=typed',
    headers: { accept: 'application/x-ndjson' },
    status: 200,
  },
  { method: 'GET', path: () => '/api/v1/records', headers: { accept: 'text/csv' }, status: 200 },
  { method: 'GET', path: () => '/api/v1/people/ada.lovelace@example.org', status: 200 },
  { method: 'GET', path: () => '/api/v1/project/summary', status: 200 },
  { method: 'GET', path: () => '/health/ready', status: 200 },
  {
    method: 'POST',
    path: () => '/api/v1/records',
    headers: JSON_TYPE,
    body: (turn) => JSON.stringify({ records: [{ record_id: recordOf(turn), last_name: `turn ${turn}` }] }),
    status: 200,
  },
  {
    method: 'POST',
    path: () => '/api/v1/records?dryRun=true',
    headers: { 'content-type': 'text/csv' },
    body: (turn) => `record_id,age\n${recordOf(turn)},${20 + (turn % 60)}\n`,
    status: 200,
  },
  {
    method: 'POST',
    path: () => '/api/v1/records',
    headers: JSON_TYPE,
    body: () => '{"records": [{',
    status: 400,
  },
  { method: 'GET', path: () => '/api/v1/records?fields=no_such_field', status: 400 },
  {
    method: 'GET',
    path: () => '/api/v1/project/info',
    headers: { authorization: 'Bearer crf_wrong' },
    status: 401,
  },
  { method: 'GET', path: (turn) => `/api/v1/people/nobody.${turn}@example.org`, status: 404 },
];

/** Sends the mix, and counts the answers. */
export class SoakLoad {
  readonly #agent: http.Agent;
  /** Requests with the expected answer. */
  good = 0;
  /** What failed, and how often. */
  readonly wrong: Record<string, number> = {};
  #turn = 0;

  /** @param clients the maximum number of concurrent requests */
  constructor(
    private readonly base: string,
    private readonly authorization: string,
    private readonly clients: number,
  ) {
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  }

  /**
   * @param ms the duration
   * @param perSecond the rate of requests; without it, as many as are answered
   */
  async run(ms: number, perSecond = Infinity): Promise<void> {
    const began = performance.now();
    let sent = 0;
    const client = async (): Promise<void> => {
      while (performance.now() - began < ms) {
        const due = began + (sent / perSecond) * 1000;
        sent += 1;
        await pause(Math.max(0, due - performance.now()));
        await this.#send();
      }
    };
    await Promise.all(Array.from({ length: this.clients }, client));
  }

  /** Closes the kept connections. */
  close(): void {
    this.#agent.destroy();
  }

  async #send(): Promise<void> {
    const turn = (this.#turn += 1);
    const kind = KINDS[turn % KINDS.length];
    if (kind === undefined) return;
    const outcome = await this.#outcomeOf(kind, turn);
    if (outcome === kind.status) this.good += 1;
    else {
      const name = `${kind.method} ${kind.path(0)}: ${outcome} instead of ${kind.status}`;
      this.wrong[name] = (this.wrong[name] ?? 0) + 1;
    }
  }

  /** @returns the status, or the code of the connection error */
  #outcomeOf({ method, path, headers, body }: Kind, turn: number): Promise<number | string> {
    return new Promise((resolve) => {
      const request = http.request(this.base + encodeURI(path(turn)), {
        method,
        agent: this.#agent,
        headers: { authorization: this.authorization, ...headers },
      });
      request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
      request.once('response', (response) => {
        response.resume();
        response.once('error', () => resolve('cut'));
        response.once('end', () => resolve(response.statusCode ?? 0));
      });
      request.end(body?.(turn));
    });
  }
}
