import yargs from 'yargs';
import { PACKAGE_VERSION } from '../services/package-version.js';
import { UsageError } from './cli-error.js';
import { COMMANDS } from './commands.js';
import type { Command } from './define-command.js';
import { refuseNamelessFiles, restoreHyphens } from './options/hyphens.js';
import { withSuggestion } from './options/suggest-option.js';

/**
 * Creates the parser of the command line, with its commands and help. Commands run only when `parseAsync` is called. It
 * rejects with a `UsageError`, or with the error of a command.
 *
 * @param width width of the help, in columns
 * @param commands what it offers, for a tool of this repository that has a command of its own
 */
export function createParser(args: readonly string[], width = 100, commands: readonly Command[] = COMMANDS) {
  const parser = yargs([...args])
    // The help is in English only: do not let yargs translate its own part.
    .locale('en')
    .updateStrings(WORDS as Record<string, string>) // its types lack plural forms, which are objects
    .scriptName('crf')
    .usage('$0 <command>\n\nRead, write and check a REDCap project, and serve it as a REST API.')
    .option('sandbox', {
      type: 'boolean',
      default: false,
      describe: 'Use the sandbox, even if a project is configured',
    })
    .option('env-file', {
      type: 'string',
      requiresArg: true,
      describe: 'Read settings from this file instead of .env',
    })
    .option('projects-file', {
      type: 'string',
      requiresArg: true,
      describe: 'Read the projects from this YAML file',
    })
    .option('project', {
      type: 'string',
      requiresArg: true,
      describe: 'Use the project of this name in the file of projects',
    })
    .option('quiet', {
      alias: 'q',
      type: 'boolean',
      default: false,
      describe: 'Print only errors and warnings',
    })
    .option('verbose', {
      type: 'boolean',
      default: false,
      describe: 'Print calls to REDCap and warnings about settings',
    })
    .group(['sandbox', 'env-file', 'projects-file', 'project', 'quiet', 'verbose', 'help'], 'Global options:')
    .middleware(restoreHyphens(args), true)
    .demandCommand(1, 'A command is missing.')
    .strict()
    .recommendCommands()
    .check(refuseRepeats, true)
    .check(refuseContradiction, true)
    .check(refuseNamelessFiles, true)
    .version('version', 'Print the version of crf (`crf version`: of REDCap)', PACKAGE_VERSION)
    .global(...(['version', false] as unknown as [string])) // the types lack the second argument
    .help()
    .alias('h', 'help')
    .wrap(width)
    .epilogue(
      'Settings come from the environment and from .env; CAPTURE_API_URL and CAPTURE_API_TOKEN select the project. Without them, commands that only read use a sandbox with a synthetic study. See docs/configuration.md.',
    )
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined, parser) => {
      // Without a message, it is the error of a command. Always throw: if `fail` returns, yargs runs the command.
      if (error !== undefined && (message === null || error instanceof UsageError)) throw error;
      let help = '';
      parser.showHelp((text) => (help = text));
      throw new UsageError(
        withSuggestion(message ?? 'The command line is not valid.', help, args),
        usageOf(help),
      );
    });
  for (const command of commands) command.addTo(parser);
  return parser;
}

/** Derives the usage from the first line of the help. */
function usageOf(help: string): string {
  const [call = ''] = help.split('\n', 1);
  const command = call.replace(/ [<[].*/, '');
  return `Usage: ${call}${call.includes('<command>') ? '' : ' [options]'}. ${command} --help shows more.`;
}

const WORDS: object = {
  'Not enough non-option arguments: got %s, need at least %s': {
    one: 'An argument is missing: %s given, %s needed.',
    other: 'Arguments are missing: %s given, %s needed.',
  },
};

function refuseContradiction({ quiet, verbose, json, csv }: Readonly<Record<string, unknown>>): true {
  if (quiet === true && verbose === true) throw new Error('--quiet and --verbose cannot be combined');
  if (json === true && csv === true) throw new Error('--json and --csv cannot be combined');
  return true;
}

/**
 * Refuses contradictory options such as `--format csv --format json`, instead of silently choosing one. Only options
 * and arguments that are declared with `array: true`, and `--env-file`, take several values.
 *
 * @param declared the declarations of yargs, which its types call aliases
 */
function refuseRepeats(values: Readonly<Record<string, unknown>>, declared: object): true {
  const { array = [] } = declared as { readonly array?: readonly string[] };
  const lists = new Set(['_', 'env-file', ...array]);
  const repeated = Object.keys(values).find(
    (name) => Array.isArray(values[name]) && !lists.has(name) && !lists.has(hyphenated(name)),
  );
  if (repeated !== undefined) throw new Error(`--${repeated} may be given only once`);
  return true;
}

/** Returns `env-file` for `envFile`: yargs gives values by both names. */
function hyphenated(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
