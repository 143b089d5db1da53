import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import { startAppwriteSandbox } from '../../sandbox/appwrite/appwrite-sandbox.js';
import { DEMO_TOKEN } from '../../sandbox/demo-study/demo-study.js';
import { isDay } from '../../domain/dictionary/text-validations.js';
import { createNamedStudy, STUDY_NAMES } from '../../sandbox/named-study.js';
import { startRedcapSandbox } from '../../sandbox/redcap/redcap-sandbox.js';
import { VERSION_PROFILES, type VersionProfile } from '../../sandbox/redcap/version-profiles.js';
import type { Study } from '../../sandbox/redcap/study.js';
import { SANDBOX_FAULTS } from '../../sandbox/redcap/send-other.js';
import { type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.js';
import { isProduction, statedPort } from '../../server/config/environment.js';
import { CliError, EXIT_CODES } from '../cli-error.js';
import { type ArgumentsOf, defineCommand } from '../command.js';
import { readTextFile } from '../files/read-files.js';
import type { Io } from '../io.js';
import { choice, flag, number, text } from '../options/option.js';
import { checkWholeNumbers, ENCODING_OPTION, isWholeNumber } from '../options/shared-options.js';

const PROFILES = Object.keys(VERSION_PROFILES) as VersionProfile[];
const DEFAULT_PROFILE = '16.1';
const OWN_FILES = ['dictionary', 'records'] as const;

/** Each has a study of its own in memory. */
const MOST_PROJECTS = 50;

const args = {
  study: choice(
    'A made-up study: a cohort, or a trial with arms, events and sites [default: "classic"]',
    STUDY_NAMES,
    { conflicts: ['xml', ...OWN_FILES] },
  ),
  until: text('The last day of a made-up study; default: yesterday', { conflicts: ['xml', ...OWN_FILES] }),
  xml: text("REDCap's project XML (download metadata & data)", { conflicts: OWN_FILES }),
  dictionary: text('A data dictionary (CSV)'),
  records: text('Records for that dictionary (CSV, flat and raw)', { implies: 'dictionary' }),
  encoding: { ...ENCODING_OPTION.encoding, describe: 'Text encoding of these files; default: utf-8' },
  projects: number('So many made-up projects, with a PROJECTS_FILE that lists them', {
    requiresArg: true,
    conflicts: ['study', 'xml', ...OWN_FILES],
  }),
  'redcap-version': {
    // Otherwise, yargs parses a number, which is not among the choices.
    type: 'string',
    choices: PROFILES,
    default: DEFAULT_PROFILE,
    describe: 'The REDCap that the sandbox plays',
  },
  fault: choice(
    'Answer every call as REDCap does during maintenance, or to a banned address',
    SANDBOX_FAULTS,
  ),
  appwrite: flag('Instead of REDCap, run Appwrite, to try the sign-in with a REDCap of your own'),
  port: number('Port to listen on; 0 picks a free one', { default: 0 }),
} as const;

type SandboxArguments = ArgumentsOf<typeof args>;

/** Starts a REDCap API for trying clients, with a synthetic study or the user's own project. */
export const command = defineCommand({
  args,
  examples: {
    '$0 sandbox --study longitudinal': 'A trial with arms, events and sites',
    '$0 sandbox --xml study.REDCap.xml': 'A project, taken home',
    '$0 sandbox --dictionary dictionary.csv --records records.csv': 'A study of CSV files',
    '$0 sandbox --projects 3': 'One REDCap with three projects, to try PROJECTS_FILE',
    '$0 sandbox --appwrite': 'Sign-in without an Appwrite, and without mails',
  },
  check: ({ port, appwrite, ...others }) => {
    const ofRedcap = ['study', 'xml', 'projects', ...OWN_FILES, 'fault', 'until'] as const;
    const given = ofRedcap.find((option) => others[option] !== undefined);
    const ignored = others.redcapVersion === DEFAULT_PROFILE ? given : 'redcap-version';
    if (appwrite && ignored !== undefined)
      throw new Error(`--appwrite runs no REDCap: leave out --${ignored}`);
    if (others.until !== undefined && !isDay(others.until))
      throw new Error('--until must be a day, as in 2026-01-31');
    checkWholeNumbers(others, { '--projects': MOST_PROJECTS });
    if (port !== 0 && !isWholeNumber(port, 65_535))
      throw new Error('--port must be a number from 0 to 65535');
  },
  readsSettings: false,
  run: async (options, io) => {
    if (isProduction(io.env))
      throw new ConfigurationError([
        { field: 'NODE_ENV', message: 'is production: the sandbox is refused there' },
      ]);
    const start = options.appwrite ? startAppwrite : options.projects === undefined ? startOne : startSeveral;
    const close = await start(options, io);
    const signal = io.interrupt();
    if (!signal.aborted) await once(signal, 'abort');
    await close();
  },
});

/** Starts a sandbox, and prints the settings for clients to stdout, ready to paste, and messages to stderr. */
type Start = (choice: SandboxArguments, io: Io) => Promise<() => Promise<unknown>>;

const startOne: Start = async (choice, io) => {
  const { port, redcapVersion, fault } = choice;
  const study = await readStudy(choice, io);
  const sandbox = await startSandbox({ ...study, port, redcapVersion, fault }).catch(refusePort(port));
  io.stdout.write(`CAPTURE_API_URL=${sandbox.url}\nCAPTURE_API_TOKEN=${sandbox.token}\n`);
  for (const note of sandbox.notes) io.stderr.write(`Note: ${note}.\n`);
  io.stderr.write(`Super token, which makes projects (crf project create): ${sandbox.superToken}\n`);
  if (choice.study === 'longitudinal') {
    const root = dirname(createRequire(import.meta.url).resolve('crf-service/package.json'));
    const example = join(root, 'examples/rights/policy.yaml');
    io.stderr.write(`A policy for it, to try with crf serve (docs/rights.md): POLICY_FILE=${example}\n`);
  }
  io.stderr.write(`SANDBOX: ${sandbox.title}, ${sandbox.records} records. Ctrl-C ends it.\n`);
  return () => sandbox.close();
};

/** The same for a REDCap of several projects, which a file in a temporary folder lists with their tokens. */
const startSeveral: Start = async ({ projects: count = 1, until, port, redcapVersion, fault }, io) => {
  const names = Array.from({ length: count }, (_, at) => `project${at + 1}`);
  const tokens = new Map(names.map((name) => [name, randomBytes(16).toString('hex').toUpperCase()]));
  const [study, ...otherStudies] = await Promise.all(
    [...tokens].map(([name, token]) => studyOf(name, token, until)),
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
  io.stdout.write(`PROJECTS_FILE=${file}\n`);
  io.stderr.write(`SANDBOX: ${names.join(', ')}. Ctrl-C ends it, and removes the file.\n`);
  return () => Promise.all([sandbox.close(), rm(folder, { recursive: true })]);
};

/** Cohorts and trials take turns. */
async function studyOf(name: string, token: string, until: string | undefined): Promise<Study> {
  const made = await createNamedStudy({
    study: Number(name.replace(/\D/g, '')) % 2 === 0 ? 'longitudinal' : 'classic',
    until,
  });
  const users = made.users.map((user) => ({ ...user, token: user.token === DEMO_TOKEN ? token : '' }));
  return { ...made, project: { ...made.project, title: `${made.project.title}, ${name}` }, users };
}

/**
 * The same for an Appwrite, which accepts every address of example.org and writes the links that it would mail to stderr:
 * the service behind the printed settings runs on this machine.
 */
const startAppwrite: Start = async ({ port }, io) => {
  const sandbox = await startAppwriteSandbox({
    port,
    onMail: ({ to, phrase, link }) => io.stderr.write(`Mail to ${to}, with the words ${phrase}: ${link}\n`),
  }).catch(refusePort(port));
  const { endpoint, projectId, apiKey } = sandbox;
  io.stdout.write(
    `APPWRITE_ENDPOINT=${endpoint}\nAPPWRITE_PROJECT_ID=${projectId}\nAPPWRITE_API_KEY=${apiKey}\n` +
      `LOGIN_URL=http://127.0.0.1:${statedPort(io.env)}/login\n` +
      'ALLOWED_DOMAINS_REGEXP=example\\.org\n',
  );
  io.stderr.write('SANDBOX: Appwrite. It sends no mail: links are shown here. Ctrl-C ends it.\n');
  return () => sandbox.close();
};

const refusePort = (port: number) => (error: NodeJS.ErrnoException) => {
  throw error.code === 'EADDRINUSE' || error.code === 'EACCES'
    ? new CliError(`--port ${port} cannot be used: choose another, or 0 for any free one.`, EXIT_CODES.usage)
    : error;
};

async function readStudy({ study, until, xml, ...files }: SandboxArguments, io: Io): Promise<SandboxOptions> {
  if (xml !== undefined) return { projectXml: await readTextFile(xml, io, '--xml', files) };
  if (files.dictionary === undefined) return { study, until };
  const dictionaryCsv = await readTextFile(files.dictionary, io, '--dictionary', files);
  const { records } = files;
  const recordsCsv = records === undefined ? undefined : await readTextFile(records, io, '--records', files);
  return { files: { dictionaryCsv, recordsCsv } };
}
