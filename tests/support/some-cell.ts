import type { CompletenessCell } from '../../src/services/summary/study-summary.js';

/** An instrument without events that 20 of 30 records have completed. */
export const CELL: CompletenessCell = {
  ...{
    event: '',
    eventLabel: '',
    instrument: 'visit',
    instrumentLabel: 'Visit',
    isRepeating: false,
    isExpected: true,
  },
  ...{ records: 30, complete: 20, unverified: 0, incomplete: 5, notBegun: 5 },
};
