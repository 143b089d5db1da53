/**
 * Reads a list: `--fields a b`, `--fields a,b` and `--fields a --fields b` are the same.
 *
 * @returns undefined if not given
 */
export function toList(values: readonly string[] | undefined): string[] | undefined {
  return values
    ?.flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

/** Refuses empty options, so that they never turn into an export of everything. @throws {Error} an option is empty */
export function refuseBlanks(
  lists: Readonly<Record<string, readonly string[] | undefined>>,
  filter: string | undefined,
): void {
  for (const [name, values] of Object.entries(lists)) {
    if (toList(values)?.length === 0)
      throw new Error(`--${name} is empty: name at least one, or leave the option out for all`);
  }
  if (filter?.trim() === '') throw new Error('--filter is blank: leave the option out for all records');
}
