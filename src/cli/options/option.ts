import type { Options, PositionalOptions } from 'yargs';

// The declarations of options and positional arguments, as yargs takes them. Each has the text of the help, and may have more.

type More = Options & PositionalOptions;

/** Declares what is always the same of options, such as their type. */
function kind<const Kind extends More>(always: Kind) {
  return <const Own extends More = Record<never, never>>(describe: string, own = {} as Own) =>
    ({ ...always, describe, ...own }) as Kind & NoInfer<Own> & { readonly describe: string };
}

export const flag = kind({ type: 'boolean', default: false });
export const text = kind({ type: 'string' });
export const texts = kind({ type: 'string', array: true });
export const number = kind({ type: 'number' });
/** An option that is refused without its argument. */
export const value = kind({ type: 'string', requiresArg: true });
export const needed = kind({ type: 'string', demandOption: true });
export const neededNumber = kind({ type: 'number', demandOption: true });
export const neededTexts = kind({ type: 'string', array: true, demandOption: true });

/** Returns `envFile` for `env-file`. */
export function inCamelCase(name: string): string {
  return name.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** Returns `env-file` for `envFile`. */
export function hyphenated(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** One of a few values. */
export function choice<
  const Choices extends NonNullable<More['choices']>,
  const Own extends More = Record<never, never>,
>(describe: string, choices: Choices, own = {} as Own) {
  return { choices, describe, ...own } as {
    readonly choices: Choices;
    readonly describe: string;
  } & NoInfer<Own>;
}
