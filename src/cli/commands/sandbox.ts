import { STUDY_NAMES } from '../../sandbox/named-study.js';
import { VERSION_PROFILES, type VersionProfile } from '../../sandbox/redcap/server-version.js';
import { SANDBOX_FAULTS } from '../../sandbox/redcap/wire/send.js';
import { defineCommand, type ArgumentsOf } from '../define-command.js';
import { ENCODING_OPTION } from '../options/output-options.js';
import { checkWholeNumbers, isWholeNumber } from '../options/whole-number.js';

const PROFILES = Object.keys(VERSION_PROFILES) as VersionProfile[];
const DEFAULT_PROFILE = '16.1';
const OWN_FILES = ['dictionary', 'records', 'events', 'mappings', 'repeating'] as const;

/** Each has a study of its own in memory. */
const MOST_PROJECTS = 50;

const args = {
  study: {
    choices: STUDY_NAMES,
    conflicts: ['project', ...OWN_FILES],
    describe: 'A made-up study: a cohort, or a trial with arms, events and sites [default: "classic"]',
  },
  project: {
    // Not the global option of this name, which chooses a project of PROJECTS_FILE.
    group: 'Options:',
    type: 'string',
    conflicts: OWN_FILES,
    describe: "REDCap's project XML (download metadata & data)",
  },
  dictionary: { type: 'string', describe: 'A data dictionary (CSV)' },
  records: {
    type: 'string',
    implies: 'dictionary',
    describe: 'Records for that dictionary (CSV, flat and raw)',
  },
  events: {
    type: 'string',
    implies: 'dictionary',
    describe: 'Its events, as REDCap exports them (CSV or JSON)',
  },
  mappings: {
    type: 'string',
    implies: 'events',
    describe: 'The instruments of each event (CSV or JSON)',
  },
  repeating: {
    type: 'string',
    implies: 'dictionary',
    describe: 'Repeating instruments and events (CSV or JSON)',
  },
  encoding: { ...ENCODING_OPTION.encoding, describe: 'Text encoding of these files; default: utf-8' },
  projects: {
    type: 'number',
    requiresArg: true,
    conflicts: ['study', 'project', ...OWN_FILES],
    describe: 'So many made-up projects, with a PROJECTS_FILE that lists them',
  },
  'redcap-version': {
    // Otherwise, yargs parses a number, which is not among the choices.
    type: 'string',
    choices: PROFILES,
    default: DEFAULT_PROFILE,
    describe: 'The REDCap that the sandbox plays',
  },
  fault: {
    choices: SANDBOX_FAULTS,
    describe: 'Answer every call as REDCap does during maintenance, or to a banned address',
  },
  appwrite: {
    type: 'boolean',
    default: false,
    describe: 'Instead of REDCap, run Appwrite, to try the sign-in with a REDCap of your own',
  },
  port: { type: 'number', default: 0, describe: 'Port to listen on; 0 picks a free one' },
} as const;

export type SandboxArguments = ArgumentsOf<typeof args>;

/** Starts a REDCap API for trying clients, with a synthetic study or the user's own project. */
export const sandboxCommand = defineCommand({
  name: 'sandbox',
  describe: "Run only the REDCap sandbox: REDCap's API on loopback, kept in memory",
  args,
  examples: [
    ['$0 sandbox --study longitudinal', 'A trial with arms, events and sites'],
    ['$0 sandbox --project study.REDCap.xml', 'A project, taken home'],
    ['$0 sandbox --dictionary dictionary.csv --records records.csv', 'A study of CSV files'],
    ['$0 sandbox --projects 3', 'One REDCap with three projects, to try PROJECTS_FILE'],
    ['$0 sandbox --appwrite', 'Sign-in without an Appwrite, and without mails'],
  ],
  check: ({ port, appwrite, ...others }) => {
    const ofRedcap = ['study', 'project', 'projects', ...OWN_FILES, 'fault'] as const;
    const given = ofRedcap.find((option) => others[option] !== undefined);
    const ignored = others.redcapVersion === DEFAULT_PROFILE ? given : 'redcap-version';
    if (appwrite && ignored !== undefined)
      throw new Error(`--appwrite runs no REDCap: leave out --${ignored}`);
    checkWholeNumbers(others, { '--projects': MOST_PROJECTS });
    if (port !== 0 && !isWholeNumber(port, 65_535))
      throw new Error('--port must be a number from 0 to 65535');
  },
  readsSettings: false,
  handler: async (options) => {
    const { runAppwriteSandbox, runProjectsSandbox, runSandbox } = await import('./sandbox-action.js');
    if (options.appwrite) return runAppwriteSandbox(options.port);
    return options.projects === undefined
      ? runSandbox(options)
      : runProjectsSandbox(options.projects, options);
  },
});
