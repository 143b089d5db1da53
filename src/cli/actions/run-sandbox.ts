import { once } from 'node:events';
import { DEMO_SUPER_TOKEN, DEMO_TOKEN, DEMO_USERS } from '../../sandbox/demo-study/demo-study.js';
import { loadStudy, type LoadedStudy } from '../../sandbox/demo-study/load-study.js';
import { createNamedStudy, type StudyName } from '../../sandbox/demo-study/named-study.js';
import { startRedcapSandbox } from '../../sandbox/redcap/redcap-sandbox.js';
import { VERSION_PROFILES, type VersionProfile } from '../../sandbox/redcap/server-version.js';
import type { SandboxFault } from '../../sandbox/redcap/wire/outage.js';
import { isProduction } from '../../config/mode.js';
import { ConfigurationError } from '../../errors/operator-errors.js';
import { CliError } from '../cli-error.js';
import { EXIT_CODES } from '../exit-codes.js';
import { interruptSignal } from '../interrupt.js';
import { readTextFile } from '../files/read-text-file.js';

export interface SandboxChoice {
  /** A synthetic study; the classic one by default. */
  readonly study: StudyName | undefined;
  /** Path of a project XML. */
  readonly project: string | undefined;
  /** Paths of the files that make up a study, by option. */
  readonly files: Readonly<Record<FileOption, string | undefined>>;
  readonly redcapVersion: VersionProfile;
  readonly fault: SandboxFault | undefined;
  readonly port: number;
}

type FileOption = 'dictionary' | 'records' | 'events' | 'mappings' | 'repeating';

/** Runs until Ctrl-C. Prints the settings for clients to stdout, ready to paste, and messages to stderr. */
export async function runSandbox(choice: SandboxChoice): Promise<void> {
  refuseInProduction();
  const { port, redcapVersion, fault } = choice;
  const { study, notes } = await readStudy(choice);
  const sandbox = await startRedcapSandbox({
    study,
    port,
    version: VERSION_PROFILES[redcapVersion],
    superToken: DEMO_SUPER_TOKEN,
    fault,
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' || error.code === 'EACCES'
      ? new CliError(
          `--port ${port} cannot be used: choose another, or 0 for any free one.`,
          EXIT_CODES.usage,
        )
      : error;
  });
  process.stdout.write(`CAPTURE_API_URL=${sandbox.url}\nCAPTURE_API_TOKEN=${DEMO_TOKEN}\n`);
  for (const note of [...notes, ...sandbox.notes]) process.stderr.write(`Note: ${note}.\n`);
  process.stderr.write(`Super token, which makes projects (crf project create): ${DEMO_SUPER_TOKEN}\n`);
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

async function readStudy({ study, project, files }: SandboxChoice): Promise<LoadedStudy> {
  if (project !== undefined) return readProject(project);
  if (files.dictionary === undefined) {
    return { study: await createNamedStudy(study ?? 'classic'), notes: [] };
  }
  const text = (option: FileOption): Promise<string | undefined> => readGiven(option, files[option]);
  return loadStudy({
    dictionaryCsv: await readTextFile(files.dictionary, '--dictionary'),
    recordsCsv: await text('records'),
    events: await text('events'),
    mappings: await text('mappings'),
    repeating: await text('repeating'),
  });
}

async function readGiven(option: FileOption, file: string | undefined): Promise<string | undefined> {
  return file === undefined ? undefined : readTextFile(file, `--${option}`);
}

/** REDCap's file contains no users, so the sandbox adds its own. */
async function readProject(file: string): Promise<LoadedStudy> {
  const { readProjectXml } = await import('../../sandbox/redcap/odm/read-project-xml.js');
  const { study, notes } = await readProjectXml(await readTextFile(file, '--project'));
  return { study: { ...study, users: DEMO_USERS }, notes };
}
