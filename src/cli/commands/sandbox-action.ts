import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startAppwriteSandbox } from '../../sandbox/appwrite/appwrite-sandbox.js';
import { DEMO_TOKEN } from '../../sandbox/demo-study/demo-study.js';
import { createNamedStudy } from '../../sandbox/named-study.js';
import { startRedcapSandbox } from '../../sandbox/redcap/redcap-sandbox.js';
import { VERSION_PROFILES } from '../../sandbox/redcap/server-version.js';
import type { Study } from '../../sandbox/redcap/study.js';
import { startSandbox, type SandboxOptions } from '../../sandbox/start-sandbox.js';
import { isProduction } from '../../server/config/environment.js';
import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import { CliError } from '../cli-error.js';
import { EXIT_CODES } from '../exit-codes.js';
import { interruptSignal } from '../interrupt.js';
import type { SandboxArguments } from './sandbox.js';
import { readTextFile } from '../files/read-text-file.js';

type FileOption = 'dictionary' | 'records' | 'events' | 'mappings' | 'repeating';

/** Runs until Ctrl-C. Prints the settings for clients to stdout, ready to paste, and messages to stderr. */
export async function runSandbox(choice: SandboxArguments): Promise<void> {
  refuseInProduction();
  const { port, redcapVersion, fault } = choice;
  const study = await readStudy(choice);
  const sandbox = await startSandbox({ ...study, port, redcapVersion, fault }).catch(refusePort(port));
  process.stdout.write(`CAPTURE_API_URL=${sandbox.url}\nCAPTURE_API_TOKEN=${sandbox.token}\n`);
  for (const note of sandbox.notes) process.stderr.write(`Note: ${note}.\n`);
  process.stderr.write(`Super token, which makes projects (crf project create): ${sandbox.superToken}\n`);
  if (choice.study === 'longitudinal') {
    const root = dirname(createRequire(import.meta.url).resolve('crf-service/package.json'));
    const example = join(root, 'examples/rights/policy.yaml');
    process.stderr.write(`A policy for it, to try with crf serve (docs/rights.md): POLICY_FILE=${example}\n`);
  }
  process.stderr.write(`SANDBOX: ${sandbox.title}, ${sandbox.records} records. Ctrl-C ends it.\n`);

  await untilInterrupted();
  await sandbox.close();
}

/** The same for a REDCap of several projects, which a file in a temporary folder lists with their tokens. */
export async function runProjectsSandbox(count: number, choice: SandboxArguments): Promise<void> {
  refuseInProduction();
  const { port, redcapVersion, fault } = choice;
  const names = Array.from({ length: count }, (_, at) => `project${at + 1}`);
  const tokens = new Map(names.map((name) => [name, randomBytes(16).toString('hex').toUpperCase()]));
  const [study, ...otherStudies] = await Promise.all(
    [...tokens].map(([name, token]) => studyOf(name, token)),
  );
  if (study === undefined) throw new TypeError('A sandbox has a project.');
  const version = VERSION_PROFILES[redcapVersion];
  const sandbox = await startRedcapSandbox({ study, otherStudies, port, version, fault }).catch(
    refusePort(port),
  );
  const folder = await mkdtemp(join(tmpdir(), 'crf-sandbox-'));
  for (const [name, token] of tokens) await writeFile(join(folder, `${name}.token`), token, { mode: 0o600 });
  const entries = names.map((name) => `  ${name}: { url: "${sandbox.url}", tokenFile: ${name}.token }\n`);
  const file = join(folder, 'projects.yaml');
  await writeFile(file, `version: 1\ndefault: project1\nprojects:\n${entries.join('')}`);
  process.stdout.write(`PROJECTS_FILE=${file}\n`);
  process.stderr.write(`SANDBOX: ${names.join(', ')}. Ctrl-C ends it, and removes the file.\n`);

  await untilInterrupted();
  await Promise.all([sandbox.close(), rm(folder, { recursive: true })]);
}

/** Cohorts and trials take turns. */
async function studyOf(name: string, token: string): Promise<Study> {
  const made = await createNamedStudy(Number(name.replace(/\D/g, '')) % 2 === 0 ? 'longitudinal' : 'classic');
  const users = made.users.map((user) => ({ ...user, token: user.token === DEMO_TOKEN ? token : '' }));
  return { ...made, project: { ...made.project, title: `${made.project.title}, ${name}` }, users };
}

/**
 * The same for an Appwrite, which accepts every address of example.org and writes the links that it would mail to stderr:
 * the service behind the printed settings runs on this machine.
 */
export async function runAppwriteSandbox(port: number): Promise<void> {
  refuseInProduction();
  const sandbox = await startAppwriteSandbox({
    port,
    onMail: ({ to, link }) => process.stderr.write(`Mail to ${to}: ${link}\n`),
  }).catch(refusePort(port));
  const { endpoint, projectId, apiKey } = sandbox;
  process.stdout.write(
    `APPWRITE_ENDPOINT=${endpoint}\nAPPWRITE_PROJECT_ID=${projectId}\nAPPWRITE_API_KEY=${apiKey}\n` +
      'LOGIN_URL=http://localhost:3000/login\nALLOWED_DOMAINS_REGEXP=example\\.org\n',
  );
  process.stderr.write('SANDBOX: Appwrite. It sends no mail: links are shown here. Ctrl-C ends it.\n');

  await untilInterrupted();
  await sandbox.close();
}

async function untilInterrupted(): Promise<void> {
  const signal = interruptSignal();
  if (!signal.aborted) await once(signal, 'abort');
}

const refusePort = (port: number) => (error: NodeJS.ErrnoException) => {
  throw error.code === 'EADDRINUSE' || error.code === 'EACCES'
    ? new CliError(`--port ${port} cannot be used: choose another, or 0 for any free one.`, EXIT_CODES.usage)
    : error;
};

function refuseInProduction(): void {
  if (!isProduction()) return;
  throw new ConfigurationError([
    { field: 'NODE_ENV', message: 'is production: the sandbox is refused there' },
  ]);
}

async function readStudy({ study, project, ...files }: SandboxArguments): Promise<SandboxOptions> {
  if (project !== undefined) return { projectXml: await readTextFile(project, '--project', files) };
  if (files.dictionary === undefined) return { study };
  const text = async (option: FileOption): Promise<string | undefined> => {
    const file = files[option];
    return file === undefined ? undefined : readTextFile(file, `--${option}`, files);
  };
  return {
    files: {
      dictionaryCsv: await readTextFile(files.dictionary, '--dictionary', files),
      recordsCsv: await text('records'),
      events: await text('events'),
      mappings: await text('mappings'),
      repeating: await text('repeating'),
    },
  };
}
