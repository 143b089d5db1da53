import { Readable } from 'node:stream';
import { expect } from 'chai';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../src/domain/dictionary/project-structure.js';
import { readRecentChanges } from '../../../../src/services/quality/recent-changes.js';
import { someField } from '../../../support/some-field.js';

const EVENTS = [
  { uniqueName: 'start_arm_1', label: 'Start', arm: 1 },
  { uniqueName: 'visit_arm_1', label: 'Visit', arm: 1 },
];

describe('What was changed since a day', () => {
  it('is the field of a finding, at its event', async () => {
    const changes = await changesIn([entry('Update record 5 (Visit (Arm 1: Drug A))', "age = '130'")]);

    expect(changes.has(finding({ event: 'visit_arm_1' }))).to.equal(true);
    expect(changes.has(finding({ event: 'start_arm_1' }))).to.equal(false);
    expect(changes.has(finding({ event: 'visit_arm_1', field: 'weight' }))).to.equal(false);
    expect(changes.has(finding({ event: 'visit_arm_1', record: '6' }))).to.equal(false);
    expect([...changes.records]).to.deep.equal(['5']);
  });

  it('is at every event, where the log names none', async () => {
    const changes = await changesIn([entry('Update record (API) 5', "age = '130'")]);

    expect(changes.has(finding({ event: 'start_arm_1' }))).to.equal(true);
    expect(changes.has(finding({ event: 'visit_arm_1' }))).to.equal(true);
  });

  it('is a checkbox field by any of its choices, and a form by its status', async () => {
    const changes = await changesIn([
      entry('Update record 5 (Start (Arm 1: Drug A))', 'sites(2) = checked'),
      entry('Update record 6 (Start (Arm 1: Drug A))', "base_complete = '2'"),
    ]);

    expect(changes.has(finding({ field: 'sites___1' }))).to.equal(true);
    expect(changes.has(finding({ field: 'age' }))).to.equal(false);
    expect(changes.has(finding({ record: '6', field: 'age' }))).to.equal(true);
  });

  it('is one instance, the first where the log names none', async () => {
    const changes = await changesIn([
      entry('Update record 5 (Start (Arm 1: Drug A))', "age = '1'"),
      entry('Update record 6 (Start (Arm 1: Drug A))', "[instance = 2], age = '1'"),
    ]);

    expect(changes.has(finding({ instance: 1 }))).to.equal(true);
    expect(changes.has(finding({ instance: 2 }))).to.equal(false);
    expect(changes.has(finding({ record: '6', instance: 2 }))).to.equal(true);
    expect(changes.has(finding({ record: '6', instance: 1 }))).to.equal(false);
  });

  it('is nothing that was entered before the record was deleted', async () => {
    const changes = await changesIn([
      entry('Create record 5 (Start (Arm 1: Drug A))', "weight = '1'"),
      entry('Delete record 5', "record_id = '5'"),
      entry('Update record 5 (Start (Arm 1: Drug A))', "age = '130'"),
    ]);

    expect(changes.has(finding({ field: 'weight' }))).to.equal(true);
    expect(changes.has(finding({ field: 'age' }))).to.equal(false);
  });
});

/** An entry of REDCap's log. */
function entry(action: string, details: string): Record<string, string> {
  return {
    timestamp: '2026-11-20 08:15',
    username: 'ada',
    action,
    details,
    record: /\d+/.exec(action.replace(/\(API\)/, ''))?.[0] ?? '',
  };
}

function finding(parts: Partial<Record<'record' | 'event' | 'field', string>> & { instance?: number }) {
  return { record: '5', event: 'start_arm_1', instrument: 'base', instance: null, field: 'age', ...parts };
}

function changesIn(entries: readonly object[], from = '2026-11-20') {
  const structure = new ProjectStructure({
    dictionary: new DataDictionary([
      ...['id', 'age', 'weight'].map((name) => someField(name, { instrument: 'base' })),
      someField('sites', {
        instrument: 'base',
        type: 'checkbox',
        choicesOrCalculations: '1, North | 2, South',
      }),
    ]),
    events: EVENTS,
    mappings: EVENTS.map(({ uniqueName }) => ({ event: uniqueName, instrument: 'base' })),
  });
  const open = () => Promise.resolve(Readable.from([Buffer.from(JSON.stringify(entries))]));
  return readRecentChanges({ log: { open, list: () => Promise.resolve([]) } }, structure, { from }, {});
}
