import type { Content } from '../content.js';
import { projectRow } from '../project-row.js';

/**
 * One object in JSON, one row in CSV. Creating a project takes a super token.
 *
 * @see docs/protocol/redcap.md 9.5 (client)
 */
export const project: Content = {
  name: 'project',
  actions: {
    export: {
      rights: ['api_export'],
      log: 'Export project information (API)',
      run: (call) => ({ kind: 'object', row: projectRow(call.project, call.version) }),
    },
  },
};
