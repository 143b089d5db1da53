import { nearestName, nearestOption } from '../../domain/identifiers/nearest-name.js';

/**
 * @param message yargs's message for unknown options, or for a missing one, which may only be misspelt
 * @param help of the command, which lists the options
 * @param args the command line
 * @returns the message with suggestions for the options that were probably meant
 */
export function withSuggestion(message: string, help: string, args: readonly string[]): string {
  const options = [...help.matchAll(/^ +(?:-\w, )?--([a-z-]+)/gm)].map(([, name = '']) => name);
  const named = /^Unknown arguments?: (.+)/.exec(message)?.[1]?.split(', ') ?? [];
  // yargs names an option such as `dry-run` a second time as `dryRun`.
  const twins = named.filter((name) => name.includes('-')).map(inCamelCase);
  const unknown = named.filter((name) => !twins.includes(name));
  const said =
    unknown.length === 0
      ? message
      : `Unknown argument${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}`;
  const typed = unknownIn(args, options);
  if (/^Missing required arguments?:/.test(message)) unknown.push(...typed);
  // What is not an option may be one word too many, of which only typing mistakes are looked for.
  const meant = unknown.flatMap(
    (name) => (typed.includes(name) ? nearestOption(name, options) : nearestName(name, options)) ?? [],
  );
  if (meant.length === 0) return said;
  return `${said}. Did you mean ${[...new Set(meant)].map((name) => `--${name}`).join(' and ')}?`;
}

function inCamelCase(name: string): string {
  return name.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

function unknownIn(args: readonly string[], options: readonly string[]): string[] {
  return args.flatMap((arg) => {
    const [, name] = /^--([a-z][\w-]*)/i.exec(arg) ?? [];
    return name === undefined || options.includes(name) ? [] : [name];
  });
}
