import { createRequire } from 'node:module';
import { startProcess, type ProcessUnderTest } from './process-under-test.js';

/** The compiled server, as run by `npm start`. */
export const SERVICE = 'build/dist/bin/server.js';

/** The compiled command line. */
export const COMMAND_LINE = 'build/dist/bin/crf.js';

/**
 * The environment of a service in front of an upstream: open, on any port, without the rate limit that protects REDCap.
 */
export function serviceEnvironment(upstreamUrl: string): Record<string, string> {
  return {
    CAPTURE_API_URL: upstreamUrl,
    CAPTURE_API_TOKEN: 'A'.repeat(32),
    CAPTURE_CALLS_PER_MINUTE: '0',
    // Counted as in production, but never reached.
    API_CALLS_PER_MINUTE: '10000000',
    CAPTURE_MAX_CONCURRENT: '64',
    CAPTURE_QUEUE_LIMIT: '1000',
    PORT: '0',
    NODE_ENV: 'production',
    ALLOW_ANONYMOUS: 'true',
    LOG_LEVEL: 'info',
  };
}

/** The arguments of `node` to run a TypeScript file. */
export function tsx(file: string): string[] {
  return ['--import', createRequire(import.meta.url).resolve('tsx'), file];
}

/**
 * Starts the fake upstream with as many records as the largest export needs.
 *
 * @param cost `real`: each call takes as long as in a typical REDCap; `rights`: with hidden fields and a group
 */
export function startUpstream(
  records = 100_000,
  fields = 50,
  cost: 'none' | 'real' | 'rights' = 'none',
): Promise<ProcessUnderTest> {
  return startProcess([...tsx('tests/bench/fake-upstream.ts'), String(records), String(fields), cost]);
}

/** Starts the service as deployed, in front of an upstream. */
export function startService(
  upstream: ProcessUnderTest,
  env: Readonly<Record<string, string>> = {},
): Promise<ProcessUnderTest> {
  return startProcess([...WATCHED, SERVICE], { ...serviceEnvironment(upstream.url), ...env });
}

/** Starts a minimal proxy in front of the same upstream. */
export function startProxy(upstream: ProcessUnderTest): Promise<ProcessUnderTest> {
  return startProcess([...WATCHED, 'tests/bench/servers/pipe-proxy.mjs', upstream.url, 'A'.repeat(32)]);
}

/** Returns the processor time that a service has used, in milliseconds. */
export async function cpuMs(service: ProcessUnderTest): Promise<number> {
  return ((await service.ask('report')) as { readonly cpuMs: number }).cpuMs;
}

const WATCHED = ['--import', './tests/bench/workers/loop-watch.mjs'];
