/** `'it''s [age]'`: what stands in quotes is a value, and no name. */
const TEXTS = /'[^']*'|"[^"]*"/g;
const NAMES = /\[([a-z][a-z0-9_]*)(?:\([^)\]]*\))?\]/g;

/** @returns the names of the fields and events that filter logic asks for, in their order; no value of it */
export function filterFieldsOf(filterLogic: string): string[] {
  const names = filterLogic.replace(TEXTS, "''").matchAll(NAMES);
  return [...new Set([...names].map(([, name = '']) => name))];
}
