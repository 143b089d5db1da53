import type { Argv, InferredOptionType, Options, PositionalOptions } from 'yargs';
import type { ExitCode } from './exit-codes.js';
import { envFilesOf, type GlobalArguments } from './options/global-arguments.js';

/** The options and positional arguments of a command, by the names that the user types. */
export type CommandArgs = Readonly<Record<string, Options & PositionalOptions>>;

/** What a handler gets: the global options and those of the command, `dry-run` also as `dryRun`. */
export type ArgumentsOf<Args extends CommandArgs> = GlobalArguments & {
  readonly [Name in keyof Args as Name | CamelCase<Name>]: InferredOptionType<NonNullable<Args[Name]>>;
};

type CamelCase<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name extends string
    ? Name
    : never;

interface CommandDefinition<Args extends CommandArgs> {
  readonly name: string;
  /** One line of the help. */
  readonly describe: string;
  /** The options and positional arguments, in the order of the help. */
  readonly args?: Args;
  /** Which of them are positional, in their order. Those with `array: true` take all that is left. */
  readonly positionals?: readonly (keyof Args & string)[];
  /** Call lines, in which `$0` is `crf`, each with what it does. */
  readonly examples?: readonly (readonly [call: string, does: string])[];
  /** The end of the help, such as the exit codes. */
  readonly epilogue?: string;
  /** Checks what yargs cannot. @throws {Error} what the command line shows */
  readonly check?: (values: ArgumentsOf<Args>) => void;
  /** False if the handler reads no settings, or loads them itself. */
  readonly readsSettings?: boolean;
  readonly subcommands?: readonly Command[];
  /**
   * Runs the command, and may return an exit code. It imports what it needs, so that `crf --help` need not load it.
   * Without a handler, one of the subcommands is required.
   */
  readonly handler?: (values: ArgumentsOf<Args>) => Promise<ExitCode | void>;
}

/** A command of the command line, whose arguments only its definition knows. */
export interface Command {
  readonly name: string;
  readonly subcommands: readonly Command[];
  /** Adds the command with its subcommands to a parser. */
  addTo(parser: Argv): void;
}

/** Declares a command once: its help, its arguments, and the handler, whose types follow from them. */
export function defineCommand<const Args extends CommandArgs = Record<never, Options>>(
  definition: CommandDefinition<Args>,
): Command {
  const { name, describe, positionals = [], subcommands = [], check, handler } = definition;
  const args: CommandArgs = definition.args ?? {};
  const isPositional = new Set<string>(positionals);
  /** yargs's own types forget what a list of commands declares; it gives what `args` and the global options say. */
  const typed = (values: object): ArgumentsOf<Args> => values as ArgumentsOf<Args>;

  function build(parser: Argv): Argv {
    for (const [arg, options] of Object.entries(args)) {
      if (isPositional.has(arg)) parser.positional(arg, options);
      else parser.option(arg, options);
    }
    for (const command of subcommands) command.addTo(parser);
    for (const [call, does] of definition.examples ?? []) parser.example(call, does);
    if (definition.epilogue !== undefined) parser.epilogue(definition.epilogue);
    if (handler === undefined) parser.demandCommand(1, `A command is missing: ${inWords(subcommands)}.`);
    return parser.check((values) => {
      check?.(typed(values));
      return true;
    });
  }

  async function run(values: ArgumentsOf<Args>): Promise<void> {
    if (definition.readsSettings !== false) await prepareSettings(values);
    const exitCode = await handler?.(values);
    if (typeof exitCode === 'number') process.exitCode = exitCode;
  }

  return {
    name,
    subcommands,
    addTo: (parser) => {
      const usage = positionals.map((positional) => usageOf(positional, args[positional]));
      parser.command({
        command: [name, ...usage].join(' '),
        describe,
        builder: build,
        handler: (values) => run(typed(values)),
      });
    },
  };
}

/** Returns how the help shows a positional argument: `<file>`, `[dag]` or `<names..>`. */
function usageOf(name: string, { demandOption, array }: Options = {}): string {
  const text = array === true ? `${name}..` : name;
  return demandOption === true ? `<${text}>` : `[${text}]`;
}

/** Lists commands as in `get, put or rm`. */
function inWords(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name);
  return names.join(', ').replace(/, ([^,]*)$/, ' or $1');
}

async function prepareSettings(options: GlobalArguments): Promise<void> {
  const { prepareEnvironment } = await import('../server/config/env-file.js');
  const notice = prepareEnvironment({
    envFiles: envFilesOf(options),
    isSandbox: options.sandbox,
    projectsFile: options.projectsFile,
    project: options.project,
  });
  if (notice !== undefined && !options.quiet) process.stderr.write(`${notice}\n`);
}
