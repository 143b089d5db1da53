/**
 * Options that have a meaning only with others, or none beside them. A name may have a value: `values=typed`. An option
 * counts as given unless it is left out or false.
 */
export interface Combination {
  readonly option: string | readonly string[];
  /** All are needed. */
  readonly needs?: string | readonly string[];
  readonly not?: string | readonly string[];
  /** Why, or what to do instead. */
  readonly why?: string | ((values: Readonly<Record<string, unknown>>) => string);
}

/** @throws {Error} what the command line shows for the first combination that is refused */
export function refuseCombinations(
  values: Readonly<Record<string, unknown>>,
  combinations: readonly Combination[],
): void {
  const isGiven = (option: string): boolean => {
    const [name = '', wanted] = option.split('=');
    const value = values[name];
    return wanted === undefined ? value !== undefined && value !== false : value === wanted;
  };
  for (const { option: options, needs = [], not = [], why } of combinations)
    for (const option of [options].flat().filter(isGiven)) {
      const reason = why === undefined ? '' : `: ${typeof why === 'string' ? why : why(values)}`;
      const needed = [needs].flat();
      if (!needed.every(isGiven))
        throw new Error(`${shown(option)} needs ${needed.map(shown).join(' and ')}${reason}`);
      const other = [not].flat().find(isGiven);
      if (other !== undefined)
        throw new Error(`${shown(option)} cannot be combined with ${shown(other)}${reason}`);
    }
}

/** Returns an option as the user types it: `--values typed`. */
function shown(option: string): string {
  return `--${option.replace('=', ' ')}`;
}
