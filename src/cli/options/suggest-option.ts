import { nearestName } from '../../errors/nearest-name.js';

/**
 * @param message yargs's message for unknown options: `Unknown argument: jsno`
 * @param help of the command, which lists the options
 * @returns the message with a suggestion for the option that was probably meant
 */
export function withSuggestion(message: string, help: string): string {
  const [, unknown] = /^Unknown arguments?: ([^\s,]+)/.exec(message) ?? [];
  if (unknown === undefined) return message;
  const options = [...help.matchAll(/^ +(?:-\w, )?--([a-z-]+)/gm)].map(([, name = '']) => name);
  const nearest = nearestName(unknown, options);
  return nearest === undefined ? message : `${message}. Did you mean --${nearest}?`;
}
