import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Commands that together call most of what a command needs: the help, a short answer, rows. */
const COMMANDS = ['--help', 'version --sandbox', 'export --sandbox --limit 1'];
/** The first requests to a server. */
const PATHS = ['/health', '/api/v1/project/info'];

/** Runs the bundle on the sandbox, and keeps what V8 compiled for it (decision 10). */
export async function compileAhead() {
  await Promise.all([recordCommands(), recordServer()]);
}

async function recordCommands() {
  await ended(record('crf', COMMANDS, 'ignore'));
}

async function recordServer() {
  const server = record('server', [''], 'pipe');
  await Promise.all([ended(server), stopAfterRequests(server)]);
}

/** Sends the first requests once the server listens, and stops it, even if a request fails. */
async function stopAfterRequests(server) {
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const { url } = JSON.parse(line);
      if (url === undefined) continue;
      for (const path of PATHS) await fetch(new URL(path, url)).then((response) => response.arrayBuffer());
      server.kill('SIGTERM');
    }
  } finally {
    server.kill('SIGTERM');
  }
}

/** Starts a process without settings: it has no environment and no `.env`. */
function record(entry, runs, stdout) {
  return spawn(process.execPath, [join(import.meta.dirname, 'record.mjs'), entry, ...runs], {
    cwd: import.meta.dirname,
    env: { PORT: '0', LOG_FORMAT: 'json' },
    stdio: ['ignore', stdout, 'pipe'],
  });
}

async function ended(child) {
  const messages = [];
  child.stderr.on('data', (chunk) => messages.push(chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The bundle does not run: ${Buffer.concat(messages).toString()}`);
}
