import { nearestName } from '../../errors/nearest-name.js';

/**
 * @param message yargs's message for unknown options, or for a missing one, which may only be misspelt
 * @param help of the command, which lists the options
 * @param args the command line
 * @returns the message with suggestions for the options that were probably meant
 */
export function withSuggestion(message: string, help: string, args: readonly string[]): string {
  const options = [...help.matchAll(/^ +(?:-\w, )?--([a-z-]+)/gm)].map(([, name = '']) => name);
  const unknown = /^Unknown arguments?: (.+)/.exec(message)?.[1]?.split(', ') ?? [];
  if (/^Missing required arguments?:/.test(message)) unknown.push(...unknownIn(args, options));
  const nearest = unknown.flatMap((name) => nearestName(name, options) ?? []);
  if (nearest.length === 0) return message;
  const names = [...new Set(nearest)].map((name) => `--${name}`).join(' and ');
  return `${message}. Did you mean ${names}?`;
}

function unknownIn(args: readonly string[], options: readonly string[]): string[] {
  return args.flatMap((arg) => {
    const [, name] = /^--([a-z][\w-]*)/i.exec(arg) ?? [];
    return name === undefined || options.includes(name) ? [] : [name];
  });
}
