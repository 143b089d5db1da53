/** The largest number of 32 bits, in which REDCap keeps its numbers of arms, reports and files. */
export const MAX_INTEGER = 2_147_483_647;

/** The largest repeat instance, as in the REST API. */
export const MAX_INSTANCE = 99_999;

/** @returns whether an option is a whole number from 1 to a maximum */
export function isWholeNumber(value: unknown, maximum: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maximum;
}

/**
 * Checks the numbers of a command. One that is not given passes.
 *
 * @param values the options and positional arguments, as yargs parsed them
 * @param maxima the largest value of each, by the name that the user types: `--instance`, `id`
 * @throws {Error} what the command line shows, for the first that is not a whole number from 1 to its maximum
 */
export function checkWholeNumbers(values: object, maxima: Readonly<Record<string, number>>): void {
  for (const [shown, maximum] of Object.entries(maxima)) {
    const value = (values as Readonly<Record<string, unknown>>)[shown.replace(/^--/, '')];
    if (value === undefined || isWholeNumber(value, maximum)) continue;
    // Nobody types a number near the bound of 32 bits, so the sentence is shorter without it.
    const bound = maximum === MAX_INTEGER ? '' : ` to ${maximum}`;
    throw new Error(`${shown} must be a whole number from 1${bound}`);
  }
}
