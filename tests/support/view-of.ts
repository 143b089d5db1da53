import { parseLogic } from '../../src/domain/logic/parser.js';
import type { LogicNode } from '../../src/domain/logic/syntax.js';
import { RecordKeys } from '../../src/policy/deidentify/record-keys.js';
import type { Deidentification } from '../../src/policy/deidentify/row-changer.js';
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
    deciding: new Set(),
    create: { kind: 'none' },
    files: 'none',
    reports: new Set(),
    log: 'none',
    deidentify: undefined,
    ...view,
  };
}

/** Returns the tree of logic that can be read. */
export function logicOf(text: string): LogicNode {
  const parsed = parseLogic(text);
  if ('problem' in parsed) throw new Error('The logic cannot be read.');
  return parsed.tree;
}

/** Returns what de-identifies a view: pseudonyms of record ids, and nothing else but what is given. */
export function deidentifiedBy(rules: Partial<Deidentification> = {}): Deidentification {
  return {
    preset: 'limited',
    recordId: 'pseudonym',
    dates: 'shift',
    ageTop: undefined,
    zip: false,
    ageFields: new Set(),
    zipFields: new Set(),
    rules: new Map(),
    keys: new RecordKeys(Buffer.alloc(32, 1), 'test'),
    ...rules,
  };
}
