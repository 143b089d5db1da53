import { readFileSync } from 'node:fs';

/** The parts of the style sheet by subject. Later rules override earlier ones. */
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

/** Returns the text of one part. */
export function readStyles(part: (typeof PARTS)[number]): string {
  return readFileSync(new URL(`./assets/styles/${part}.css`, import.meta.url), 'utf8');
}

/** Returns the complete style sheet, which pages load in one request. */
export function readStyleSheet(): string {
  return PARTS.map(readStyles).join('\n');
}
