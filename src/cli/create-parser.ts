import yargs, { type Argv } from 'yargs';
import { nearestName, nearestOption } from '../domain/identifiers/nearest-name.js';
import { PACKAGE_VERSION } from '../services/package-version.js';
import { UsageError } from './cli-error.js';
import { addCommand, nameOf, type Start } from './command.js';
import { COMMANDS, type ListedCommand } from './commands.js';
import { refuseNamelessFiles, restoreHyphens } from './options/file-options.js';
import { flag, value } from './options/option.js';

/**
 * Creates the parser of the command line, with its help and the commands, of which it loads what `args` may name. It
 * rejects with a `UsageError`, or with the error of a command.
 *
 * @param start runs a command
 * @param width of the help, in columns
 * @param commands what it offers, for a tool of this repository that has a command of its own
 */
export async function createParser(
  args: readonly string[],
  start: Start,
  width = 100,
  commands: readonly ListedCommand[] = COMMANDS,
): Promise<Argv> {
  const parser = yargs([...args])
    // The help is in English only: do not let yargs translate its own part.
    .locale('en')
    .scriptName('crf')
    .usage('$0 <command>\n\nRead, write and check a REDCap project, and serve it as a REST API.')
    .option('sandbox', flag('Use the sandbox, even if a project is configured'))
    .option('env-file', value('Read settings from this file instead of .env'))
    .option('projects-file', value('Read the projects from this YAML file'))
    .option('project', value('Use the project of this name in the file of projects'))
    .option('quiet', flag('Print only errors and warnings', { alias: 'q' }))
    .option('verbose', flag('Print calls to REDCap and warnings about settings'))
    .group(['sandbox', 'env-file', 'projects-file', 'project', 'quiet', 'verbose', 'help'], 'Global options:')
    .middleware(restoreHyphens(args), true)
    .demandCommand(1, 'A command is missing.')
    .strict()
    .parserConfiguration({ 'camel-case-expansion': false }) // an option has one name
    .check(refuseRepeats, true)
    .check(refuseContradiction, true)
    .check(refuseNamelessFiles, true)
    .version('version', 'Print the version of crf (`crf version`: of REDCap)', PACKAGE_VERSION)
    .global(...(['version', false] as unknown as [string])) // the types lack the second argument
    .help()
    .alias('h', 'help')
    .wrap(width)
    .epilogue(
      'Settings come from the environment and from .env; CAPTURE_API_URL and CAPTURE_API_TOKEN select the project. Without them, commands that only read use a sandbox with a synthetic study. See docs/reference/configuration.md.',
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
  for (const listed of commands)
    addCommand(parser, listed, args.includes(nameOf(listed)) ? await listed.load() : undefined, start);
  // Options are offered only after a hyphen: where there is nothing else, the shell completes names of files.
  return parser.completion(
    'completion',
    'Print a completion script for bash or zsh',
    (current: string, _values: unknown, complete: Completing, done: (words: string[]) => void) =>
      complete((_error, words = []) =>
        done(words.filter((word) => current.startsWith('-') || !word.startsWith('-'))),
      ),
  );
}

type Completing = (then: (error: Error | null, words: string[] | undefined) => void) => void;

/** Derives the usage from the first line of the help. */
function usageOf(help: string): string {
  const [call = ''] = help.split('\n', 1);
  const command = call.replace(/ [<[].*/, '');
  return `Usage: ${call}${call.includes('<command>') ? '' : ' [options]'}. ${command} --help shows more.`;
}

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
  const repeated = Object.keys(values).find((name) => Array.isArray(values[name]) && !lists.has(name));
  if (repeated !== undefined) throw new Error(`--${repeated} may be given only once`);
  return true;
}

/**
 * @param message yargs's message for unknown options or commands, or for a missing one, which may only be misspelt
 * @param help of the command, which lists the options and commands
 * @param args the command line
 * @returns the message with suggestions for what was probably meant
 */
function withSuggestion(message: string, help: string, args: readonly string[]): string {
  const [call = '', , describe = ''] = help.split('\n', 3);
  const missing = /^Not enough non-option arguments: got (\d+)/.exec(message)?.[1];
  if (missing !== undefined) message = missingArguments(call, Number(missing));
  const options = [...help.matchAll(/^ +(?:-\w, )?--([a-z-]+)/gm)].map(([, name = '']) => name);
  const named = /^Unknown arguments?: (.+)/.exec(message)?.[1]?.split(', ') ?? [];
  const typed = unknownIn(args, options);
  // Whether an option exists is not known before the command is.
  const words = call.startsWith('crf <command>') ? named.filter((name) => !typed.includes(name)) : [];
  const unknown = words.length > 0 ? [...words] : named;
  const said =
    words.length === 0 ? message : `Unknown argument${words.length > 1 ? 's' : ''}: ${words.join(', ')}`;
  if (/^Missing required arguments?:/.test(message)) unknown.push(...typed);
  if (unknown.includes('list') && describe.startsWith('List')) return `${said}. ${call} lists them`;
  const [listed = ''] = /^Commands:\n(?: .*\n)+/m.exec(help) ?? [];
  const listing = listed.matchAll(/^ {2}crf(?: [\w-]+)*? ([\w-]+)(?= [<[ ]|$)/gm);
  const commands = Array.from(listing, ([, name = '']) => name);
  // What is not an option may be one word too many, of which only typing mistakes are looked for.
  const meant = unknown.flatMap((name) => {
    if (!typed.includes(name)) return nearestName(name, commands) ?? dashed(nearestName(name, options));
    return dashed(nearestOption(name, options));
  });
  if (meant.length === 0) return said;
  return `${said}. Did you mean ${[...new Set(meant)].join(' and ')}?`;
}

function dashed(option: string | undefined): string[] {
  return option === undefined ? [] : [`--${option}`];
}

/** @param call the first line of the help, with the arguments: `crf import <file>` */
function missingArguments(call: string, given: number): string {
  const names = [...call.matchAll(/<([\w-]+)/g)].map(([, name = '']) => name).slice(given);
  return `Missing required argument${names.length > 1 ? 's' : ''}: ${names.join(', ')}`;
}

function unknownIn(args: readonly string[], options: readonly string[]): string[] {
  return args.flatMap((arg) => {
    const [, name] = /^--([a-z][\w-]*)/i.exec(arg) ?? [];
    return name === undefined || options.includes(name) ? [] : [name];
  });
}
