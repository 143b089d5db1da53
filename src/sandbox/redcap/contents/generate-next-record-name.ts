import type { Content } from '../content.js';
import { getNextRecordId } from '../records/record-actions.js';

/** Answers in plain text, whatever the format. @see docs/protocol/redcap.md 6.4 (doc, client) */
export const generateNextRecordName: Content = {
  name: 'generateNextRecordName',
  actions: {
    export: {
      rights: ['api_export'],
      run: ({ project, caller }) => ({ kind: 'text', text: getNextRecordId(project, caller.group) }),
    },
  },
};
