// The declarations of options and positional arguments, as yargs takes them. Each has the text of the help.

export const flag = (describe: string) => ({ type: 'boolean', default: false, describe }) as const;
export const text = (describe: string) => ({ type: 'string', describe }) as const;
export const texts = (describe: string) => ({ type: 'string', array: true, describe }) as const;
export const number = (describe: string) => ({ type: 'number', describe }) as const;

/** An option that is refused without its argument. */
export const value = (describe: string) => ({ type: 'string', requiresArg: true, describe }) as const;

export const needed = (describe: string) => ({ type: 'string', demandOption: true, describe }) as const;
export const neededNumber = (describe: string) => ({ type: 'number', demandOption: true, describe }) as const;
export const neededTexts = (describe: string) =>
  ({ type: 'string', array: true, demandOption: true, describe }) as const;
