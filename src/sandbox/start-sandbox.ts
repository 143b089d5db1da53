import { isDay } from '../domain/dictionary/text-validations.js';
import {
  aNumber,
  aGroup,
  anyValue,
  oneOf,
  optional,
  optionProblems,
  refuseProblems,
  type OptionRules,
} from '../domain/identifiers/check-options.js';
import { DEMO_SUPER_TOKEN, DEMO_TOKEN, DEMO_USERS } from './demo-study/demo-study.js';
import { loadStudy, type LoadedStudy, type StudyFiles } from './demo-study/load-study.js';
import { createNamedStudy, STUDY_NAMES, type StudyName } from './named-study.js';
import { startRedcapSandbox } from './redcap/redcap-sandbox.js';
import { VERSION_PROFILES, type VersionProfile } from './redcap/version-profiles.js';
import { SANDBOX_FAULTS, type SandboxFault } from './redcap/send-other.js';

/** What a sandbox starts with: a made-up study, a project in XML, or a dictionary with records. */
export interface SandboxOptions {
  /** A made-up study: `classic` (the default) or `longitudinal`. */
  readonly study?: StudyName | undefined;
  /** The last day of a made-up study, `YYYY-MM-DD`, so that it is the same in each run; yesterday by default. */
  readonly until?: string | undefined;
  /** The text of a project XML, in place of a made-up study. */
  readonly projectXml?: string | undefined;
  /** The texts of a data dictionary and of its records, in place of a made-up study. */
  readonly files?: StudyFiles | undefined;
  /** The REDCap that is played; `16.1` by default. */
  readonly redcapVersion?: VersionProfile | undefined;
  /** Makes REDCap answer every call as it does when it is away: with its maintenance page, or that of a ban. */
  readonly fault?: SandboxFault | undefined;
  /** Any free port by default. */
  readonly port?: number | undefined;
}

/** A running sandbox. Its data is in memory and lost when it stops. */
export interface Sandbox {
  /** The URL of its API: `http://127.0.0.1:PORT/api/`. */
  readonly url: string;
  /** The token of a user who may do everything. */
  readonly token: string;
  /** Creates projects, each with its own token. */
  readonly superToken: string;
  /** The title of the project. */
  readonly title: string;
  /** The number of records at the start. */
  readonly records: number;
  /** What was left out, kept although it breaks a rule, or derived from the records. */
  readonly notes: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a REDCap project in memory, behind REDCap's API on a free loopback port. Await `close` when you no longer need
 * it: until then it keeps the process alive.
 *
 * @throws {ConfigurationError} naming every invalid option, never its value
 * @throws {InvalidRequestError} a file of the study cannot be read; it names the file, the row and the rule
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  refuseProblems(problemsOf(options));
  const { redcapVersion = '16.1', port, fault } = options;
  const { study, notes } = await studyOf(options);
  const sandbox = await startRedcapSandbox({
    study,
    port,
    version: VERSION_PROFILES[redcapVersion],
    superToken: DEMO_SUPER_TOKEN,
    fault,
  });
  return {
    url: sandbox.url,
    token: DEMO_TOKEN,
    superToken: DEMO_SUPER_TOKEN,
    title: study.project.title,
    records: sandbox.project.records.ids.length,
    notes: [...notes, ...sandbox.notes],
    close: () => sandbox.close(),
  };
}

async function studyOf({
  study = 'classic',
  until,
  projectXml,
  files,
}: SandboxOptions): Promise<LoadedStudy> {
  if (files !== undefined) return loadStudy(files);
  if (projectXml === undefined) return { study: await createNamedStudy({ study, until }), notes: [] };
  // REDCap's file contains no users, so the sandbox adds its own.
  const { readProjectXml } = await import('./redcap/odm/read-project-xml.js');
  const read = await readProjectXml(projectXml);
  return { study: { ...read.study, users: DEMO_USERS }, notes: read.notes };
}

const FILES = {
  dictionaryCsv: anyValue,
  recordsCsv: anyValue,
  title: anyValue,
} satisfies OptionRules<keyof StudyFiles>;

const OPTIONS = {
  study: oneOf(...STUDY_NAMES),
  until: optional((value) => typeof value === 'string' && isDay(value), 'must be a day, as in 2026-01-31'),
  projectXml: anyValue,
  files: aGroup(FILES),
  redcapVersion: oneOf(...Object.keys(VERSION_PROFILES)),
  fault: oneOf(...SANDBOX_FAULTS),
  port: aNumber(0),
} satisfies OptionRules<keyof SandboxOptions>;

function problemsOf(options: SandboxOptions): ReturnType<typeof optionProblems> {
  const problems = optionProblems(options, OPTIONS);
  const { study, until, projectXml, files } = options;
  if ([study, projectXml, files].filter((given) => given !== undefined).length > 1) {
    problems.push({
      field: 'study',
      message: 'cannot be combined with projectXml or files, nor these with each other',
    });
  }
  if (until !== undefined && (projectXml ?? files) !== undefined)
    problems.push({
      field: 'until',
      message: 'cannot be combined with projectXml or files: their days are kept',
    });
  return problems;
}
