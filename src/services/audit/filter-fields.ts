/** Quoted text is a value, not a name: `'it''s [age]'`. */
const TEXTS = /'[^']*'|"[^"]*"/g;
const NAMES = /\[([a-z][a-z0-9_]*)(?:\([^)\]]*\))?\]/g;

/** @returns the names of the fields and events in filter logic, in order of appearance, without values */
export function filterFieldsOf(filterLogic: string): string[] {
  const names = filterLogic.replace(TEXTS, "''").matchAll(NAMES);
  return [...new Set([...names].map(([, name = '']) => name))];
}
