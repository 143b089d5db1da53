import { createRequire } from 'node:module';

export interface Load {
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
  readonly failures: number;
}

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The part of autocannon that is used here. It is installed in `tests/slow`. */
type Autocannon = (options: object) => Promise<{
  readonly requests: { readonly average: number };
  readonly latency: { readonly p99: number };
  readonly non2xx: number;
  readonly errors: number;
}>;

/**
 * Sends as many requests as the connections allow, and returns the rate, the 99th percentile and the answers other than
 * 2xx.
 */
export async function load(url: string, options: LoadOptions): Promise<Load> {
  const autocannon = createRequire(new URL('../slow/', import.meta.url))('autocannon') as Autocannon;
  const result = await autocannon({
    url,
    connections: options.connections,
    duration: options.seconds,
    method: options.method ?? 'GET',
    headers: { ...options.headers },
    ...(options.body !== undefined && { body: options.body }),
  });
  return {
    requestsPerSecond: result.requests.average,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** @param share 0.99 for the 99th percentile */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
