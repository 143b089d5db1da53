/** Groups fields or columns by their instrument. A single pass, because dictionaries can have 35,000 fields. */
export function groupByInstrument<Item extends { readonly instrument: string }>(
  items: readonly Item[],
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.instrument);
    if (group === undefined) groups.set(item.instrument, [item]);
    else group.push(item);
  }
  return groups;
}
