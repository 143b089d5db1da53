import { nearestName } from '../dictionary/nearest-name.js';

/**
 * @param message what yargs says of options that it does not know: `Unknown argument: jsno`
 * @param help of the command: it lists what there is
 * @returns the same, with the option that was most likely meant
 */
export function withSuggestion(message: string, help: string): string {
  const [, unknown] = /^Unknown arguments?: ([^\s,]+)/.exec(message) ?? [];
  if (unknown === undefined) return message;
  const options = [...help.matchAll(/^ +(?:-\w, )?--([a-z-]+)/gm)].map(([, name = '']) => name);
  const nearest = nearestName(unknown, options);
  return nearest === undefined ? message : `${message}. Did you mean --${nearest}?`;
}
