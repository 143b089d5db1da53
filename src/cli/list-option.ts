/** `--fields a b`, `--fields a,b` and `--fields a --fields b` mean the same. @returns undefined when it is not given */
export function toList(values: readonly string[] | undefined): string[] | undefined {
  return values
    ?.flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

/** A blank never widens an export to everything. @throws {Error} an option is given and says nothing */
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
