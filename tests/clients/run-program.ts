import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ProgramOptions {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Runs a client's own suite in a new process, whose environment contains only what is needed to find programs. Its
 * output goes to stderr.
 *
 * @returns the exit code
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  { cwd, environment }: ProgramOptions,
): Promise<number | null> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, {
    cwd,
    env: { PATH, HOME, LANG: 'C.UTF-8', TZ: 'UTC', ...environment },
    stdio: ['ignore', 2, 2],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

/** The variables from which Python's requests and R's curl read a proxy and a certificate. */
export function throughProxy(
  proxy: { readonly url: string },
  certificateFile: string,
): Record<string, string> {
  return {
    HTTPS_PROXY: proxy.url,
    https_proxy: proxy.url,
    REQUESTS_CA_BUNDLE: certificateFile,
    CURL_CA_BUNDLE: certificateFile,
    SSL_CERT_FILE: certificateFile,
  };
}
