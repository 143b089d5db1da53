import type { CsvStyle } from './answer.js';

/** How the CSV of a content differs from that of the others. @see docs/protocol/redcap.md 1.8, 8.7, 9 (wire, client) */
export const CSV_STYLES = {
  arm: { hasTrailingLineFeed: false },
  formEventMapping: { hasTrailingLineFeed: false },
  instrument: { quotedColumn: 'instrument_label' },
  repeatingFormsEvents: { hasBareBlanks: true },
} satisfies Readonly<Record<string, Partial<CsvStyle>>>;

/** What is said of a content that the project has none of. @see docs/protocol/redcap.md 2.1 (client) */
export const HAS_NONE = {
  arm: 'You cannot export arms for classic projects',
  event: 'You cannot export events for classic projects',
  formEventMapping: 'You cannot export form/event mappings for classic projects',
  repeatingFormsEvents:
    'You cannot export repeating instruments and events because the project does not contain any repeating instruments and events',
} as const;
