import type { ProjectView } from '../../src/policy/project-view.js';

/** Returns a view of all records of the fields and forms that are given, without any other right. */
export function viewOf(view: Partial<ProjectView>): ProjectView {
  return {
    policy: 'test',
    key: 'test',
    fields: new Map(),
    forms: new Map(),
    events: undefined,
    rows: { kind: 'all' },
    create: { kind: 'none' },
    files: 'none',
    reports: new Set(),
    logs: 'none',
    smallest: undefined,
    deidentify: undefined,
    ...view,
  };
}
