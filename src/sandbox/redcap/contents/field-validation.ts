import { TEXT_VALIDATIONS } from '../../../domain/dictionary/text-validations.js';
import type { Content } from '../content.js';
import { listAnswer } from '../wire/answer.js';

/** The text validation types of the server. @see docs/protocol/redcap.md 8.5 (client) */
export const fieldValidation: Content = {
  name: 'fieldValidation',
  actions: {
    export: {
      rights: [],
      run: () =>
        listAnswer(
          [...TEXT_VALIDATIONS]
            .map(([name, { pattern }]) => ({ validation_type: name, regex: String(pattern) }))
            .sort((left, right) => (left.validation_type < right.validation_type ? -1 : 1)),
          ['validation_type', 'regex'],
        ),
    },
  },
};
