import type { Argv, InferredOptionType, Options, PositionalOptions } from 'yargs';
import type { EnvironmentOptions } from '../server/config/env-file.js';
import { EXIT_CODES, type ExitCode } from './cli-error.js';
import type { Io } from './io.js';
import { type OpenedClient, withClient } from './open-client.js';
import { type Combination, refuseCombinations } from './options/combinations.js';
import { confirm } from './options/confirm.js';
import { inCamelCase } from './options/option.js';

export interface GlobalArguments {
  sandbox: boolean;
  quiet: boolean;
  verbose: boolean;
  /** Files to read instead of `.env`. The option can be repeated. */
  envFile: string | readonly string[] | undefined;
  projectsFile: string | undefined;
  /** The name of a project in it. */
  project: string | undefined;
}

/** Returns the sources of settings that the global options name. */
export function environmentOf({
  envFile,
  sandbox,
  projectsFile,
  project,
}: GlobalArguments): EnvironmentOptions {
  const envFiles = typeof envFile === 'string' ? [envFile] : envFile;
  return { envFiles, isSandbox: sandbox, projectsFile, project };
}

/** The options and positional arguments of a command, by the names that the user types. */
type CommandArgs = Readonly<Record<string, Options & PositionalOptions>>;

/** What a command gets: the global options and its own, `dry-run` also as `dryRun`. */
export type ArgumentsOf<Args extends CommandArgs> = GlobalArguments & {
  readonly [Name in keyof Args as Name | CamelCase<Name>]: InferredOptionType<NonNullable<Args[Name]>>;
};

type CamelCase<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name extends string
    ? Name
    : never;

interface CommandDefinition<Args extends CommandArgs> {
  /** The options and positional arguments, in the order of the help. */
  readonly args?: Args;
  /** What call lines do, in which `$0` is `crf`. */
  readonly examples?: Readonly<Record<string, string>>;
  /** The end of the help, such as the exit codes. */
  readonly epilogue?: string;
  /** Options that exclude each other, or need each other. */
  readonly combinations?: readonly Combination[];
  /** Checks what yargs cannot. @throws {Error} what the command line shows */
  readonly check?: (values: ArgumentsOf<Args>) => void;
  /** False if the command reads no settings, or loads them itself. */
  readonly readsSettings?: boolean;
  readonly subcommands?: readonly Subcommand[];
  /** What is asked before anything is done, unless `--yes` or `--dry-run` is given, without a question mark. */
  readonly confirms?: (values: ArgumentsOf<Args>) => string;
  /**
   * The work: one of these three. Without it, one of the subcommands is required. May return an exit code. A text that it
   * returns is printed, with a line end; of an `Answer`, what was asked for.
   */
  readonly run?: (values: ArgumentsOf<Args>, io: Io) => Promise<Outcome>;
  /** The same with the project. */
  readonly reads?: ProjectWork<Args>;
  /** The same for lasting changes, for which the sandbox is used only if it was requested, or with `--dry-run`. */
  readonly writes?: ProjectWork<Args>;
}

type ProjectWork<Args extends CommandArgs> = (
  opened: OpenedClient,
  values: ArgumentsOf<Args>,
  io: Io,
) => Promise<Outcome>;

export type Outcome = ExitCode | string | Answer | void;

/** A result: for `--json` as REST has it in `data`, otherwise as a text, if there is any. */
export interface Answer {
  readonly data: object;
  readonly text: string;
  readonly exitCode?: ExitCode;
}

/** A command, whose arguments only its definition knows. */
export interface Command {
  /** The names of its own options and arguments. */
  readonly names: readonly string[];
  readonly subcommands: readonly Subcommand[];
  /** Adds its arguments and its help to a parser. */
  declare(parser: Argv, positionals: ReadonlySet<string>, start: Start): Argv;
  run(values: object, io: Io): Promise<ExitCode>;
}

export type Start = (command: Command, values: object) => Promise<void>;

/** The name of a command with its positional arguments, such as `put <file>`, and one line of the help. */
export interface Listed {
  readonly usage: string;
  readonly describe: string;
}

export interface Subcommand extends Listed {
  readonly command: Command;
}

/** Declares a command: its arguments, its help, and its work, whose types follow from them. */
export function defineCommand<const Args extends CommandArgs = Record<never, Options>>(
  definition: CommandDefinition<Args>,
): Command {
  const { args = {}, subcommands = [], examples = {}, combinations = [], epilogue, check } = definition;
  const { run, reads, writes, confirms } = definition;
  const work = reads ?? writes;
  /** yargs's own types forget what a list of commands declares; it gives what `args` and the global options say. */
  const typed = (values: object): ArgumentsOf<Args> => {
    const pairs = Object.entries(values).map(([name, value]) => [inCamelCase(name), value] as const);
    return { ...values, ...Object.fromEntries(pairs) } as ArgumentsOf<Args>;
  };
  return {
    names: Object.keys(args),
    subcommands,
    declare: (parser, positionals, start) => {
      for (const [name, options] of Object.entries<Options & PositionalOptions>(args))
        if (positionals.has(name)) parser.positional(name, options);
        else parser.option(name, { global: false, ...options }); // not an option of its subcommands, too
      for (const subcommand of subcommands) addCommand(parser, subcommand, subcommand.command, start);
      for (const [call, does] of Object.entries(examples)) parser.example(`# ${does}\n${call}`, ''); // a column would break the command
      if (epilogue !== undefined) parser.epilogue(epilogue);
      if (run === undefined && work === undefined)
        parser.demandCommand(1, `A command is missing: ${inWords(subcommands.map(nameOf))}.`);
      return parser.check((values) => {
        refuseCombinations(values, combinations);
        check?.(typed(values));
        return true;
      });
    },
    run: async (values, io) => {
      const given = typed(values);
      if (definition.readsSettings !== false) await prepareSettings(given, io);
      const has = (option: string): boolean => (values as Readonly<Record<string, unknown>>)[option] === true;
      const isDry = has('dry-run');
      if (confirms !== undefined && !isDry) await confirm(confirms(given), has('yes'), io);
      const choice = { ...given, needsProject: writes !== undefined && !isDry };
      const answer = await (work === undefined
        ? run?.(given, io)
        : withClient(choice, io, (opened) => work(opened, given, io)));
      if (typeof answer === 'number' || answer === undefined) return answer ?? EXIT_CODES.ok;
      const {
        data,
        text,
        exitCode = EXIT_CODES.ok,
      } = typeof answer === 'string' ? { data: answer, text: answer } : answer;
      const shown = has('json') && typeof data === 'object' ? JSON.stringify(data, null, 2) : text;
      if (shown !== '') io.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`);
      return exitCode;
    },
  };
}

/** Declares a command below another one. */
export function subcommand<const Args extends CommandArgs = Record<never, Options>>({
  usage,
  describe,
  ...definition
}: Listed & CommandDefinition<Args>): Subcommand {
  return { usage, describe, command: defineCommand(definition) };
}

/** Adds a command to a parser; one that was not loaded by its name alone, for the help. */
export function addCommand(
  parser: Argv,
  { usage, describe }: Listed,
  command: Command | undefined,
  start: Start,
): void {
  const positionals = new Set([...usage.matchAll(/[<[]([\w-]+)/g)].map(([, name = '']) => name));
  parser.command({
    command: usage,
    describe,
    builder: (own) => command?.declare(own, positionals, start) ?? own,
    handler: (values) => command && start(command, values),
  });
}

/** Returns `put` for `put <file>`. */
export function nameOf({ usage }: Listed): string {
  return usage.replace(/ .*/, '');
}

function inWords(names: readonly string[]): string {
  return names.join(', ').replace(/, ([^,]*)$/, ' or $1');
}

async function prepareSettings(options: GlobalArguments, { env, stderr }: Io): Promise<void> {
  const { prepareEnvironment } = await import('../server/config/env-file.js');
  const notice = prepareEnvironment(environmentOf(options), env);
  if (notice !== undefined && !options.quiet) stderr.write(`${notice}\n`);
}
