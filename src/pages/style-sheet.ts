import { readFileSync } from 'node:fs';

/** The parts of the style sheet, by subject, in the order in which they stand: what comes later wins. */
const PARTS = [
  'tokens',
  'elements',
  'frame',
  'controls',
  'parts',
  'tables',
  'dashboard',
  'plots',
  'reference',
  'print',
] as const;

/** @returns the text of one part */
export function readStyles(part: (typeof PARTS)[number]): string {
  return readFileSync(new URL(`./assets/styles/${part}.css`, import.meta.url), 'utf8');
}

/** @returns the one style sheet of the pages: a page asks for it once */
export function readStyleSheet(): string {
  return PARTS.map(readStyles).join('\n');
}
