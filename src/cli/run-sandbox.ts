import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { InvalidRequestError } from '../errors/caller-errors.js';
import { createDemoStudy, DEMO_TOKEN, DEMO_USERS } from '../sandbox/demo-study/demo-study.js';
import { loadStudy } from '../sandbox/demo-study/load-study.js';
import { startRedcapSandbox } from '../sandbox/redcap/redcap-sandbox.js';
import type { Study } from '../sandbox/redcap/study.js';
import { isProduction } from '../config/mode.js';
import { ConfigurationError } from '../errors/operator-errors.js';
import { CliError } from './cli-error.js';
import { EXIT_CODES } from './exit-codes.js';
import { interruptSignal } from './interrupt.js';

export interface SandboxFiles {
  readonly project: string | undefined;
  readonly dictionary: string | undefined;
  readonly records: string | undefined;
  readonly port: number;
}

/** Runs until Ctrl-C. What a client needs stands on stdout, ready to be pasted; words stand on stderr. */
export async function runSandbox({ port, ...files }: SandboxFiles): Promise<void> {
  refuseInProduction();
  const { study, notes } = await readStudy(files);
  const sandbox = await startRedcapSandbox({ study, port }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' || error.code === 'EACCES'
      ? new CliError(
          `--port ${port} cannot be used: choose another, or 0 for any free one.`,
          EXIT_CODES.usage,
        )
      : error;
  });
  process.stdout.write(`CAPTURE_API_URL=${sandbox.url}\nCAPTURE_API_TOKEN=${DEMO_TOKEN}\n`);
  for (const note of [...notes, ...sandbox.notes]) process.stderr.write(`Note: ${note}.\n`);
  process.stderr.write(
    `SANDBOX: ${study.project.title}, ${sandbox.project.records.ids.length} records. Ctrl-C ends it.\n`,
  );

  const signal = interruptSignal();
  if (!signal.aborted) await once(signal, 'abort');
  await sandbox.close();
}

function refuseInProduction(): void {
  if (!isProduction()) return;
  throw new ConfigurationError([
    { field: 'NODE_ENV', message: 'is production: the sandbox is refused there' },
  ]);
}

/** A study, and sentences about what of its files was left out. */
interface ReadStudy {
  readonly study: Study;
  readonly notes: readonly string[];
}

async function readStudy({ project, dictionary, records }: Omit<SandboxFiles, 'port'>): Promise<ReadStudy> {
  if (project !== undefined) return readProject(project);
  if (dictionary === undefined) return { study: createDemoStudy(), notes: [] };
  const study = loadStudy({
    dictionaryCsv: await readText('dictionary', dictionary),
    recordsCsv: records === undefined ? undefined : await readText('records', records),
  });
  return { study, notes: [] };
}

/** REDCap's file names no users: the sandbox has its own. */
async function readProject(file: string): Promise<ReadStudy> {
  const { readProjectXml } = await import('../sandbox/redcap/odm/read-project-xml.js');
  const { study, notes } = await readProjectXml(await readText('project', file));
  return { study: { ...study, users: DEMO_USERS }, notes };
}

async function readText(option: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new InvalidRequestError([{ field: `--${option}`, message: 'must name a file that can be read' }], {
      cause,
    });
  }
}
