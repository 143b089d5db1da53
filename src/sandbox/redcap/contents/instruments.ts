import type { Content } from '../content.js';
import { listAnswer } from '../wire/answer.js';

/** Labels are always quoted in CSV. @see docs/protocol/redcap.md 8.7 (wire) */
export const instrument: Content = {
  name: 'instrument',
  actions: {
    export: {
      rights: ['api_export'],
      log: 'Export instruments (API)',
      run: ({ project }) =>
        listAnswer(
          project.study.instruments.map(({ name, label }) => ({
            instrument_name: name,
            instrument_label: label,
          })),
          ['instrument_name', 'instrument_label'],
          { quotedColumn: 'instrument_label' },
        ),
    },
  },
};
