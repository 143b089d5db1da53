import { expect } from 'chai';
import fc from 'fast-check';
import { text } from 'node:stream/consumers';
import { DataDictionary } from '../../../src/domain/dictionary/data-dictionary.js';
import type {
  CrfCalls,
  OpenRecordsOptions,
  RecordSelection,
} from '../../../src/gateways/redcap/crf-client.js';
import type { ProjectView } from '../../../src/policy/project-view.js';
import { restrict } from '../../../src/policy/restrict.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { rejection } from '../../support/rejection.js';
import { sandboxCalls } from '../../support/sandbox-client.js';
import { armsStudy, classicStudy, longitudinalStudy } from '../../support/studies.js';
import { viewOf } from '../../support/view-of.js';

/** A project, a view of it, the project without what the view hides, and filters that the view can read. */
interface World {
  readonly whole: Study;
  readonly view: Partial<ProjectView>;
  readonly smaller: Study;
  readonly filters: readonly string[];
}

const GROUPS = [
  { id: 1, name: 'Paris, centre', uniqueName: 'paris' },
  { id: 2, name: 'Rome', uniqueName: 'rome' },
];

type Row = Readonly<Record<string, string>>;

/** Returns a study without these fields, forms and events; a row without anything else is left out. */
function without(study: Study, names: { fields?: string[]; forms?: string[]; events?: string[] }): Study {
  const { fields: hidden = [], forms = [], events = [] } = names;
  const isHidden = (column: string): boolean =>
    hidden.some((name) => column === name || column.startsWith(`${name}___`)) ||
    study.fields.some(({ name, instrument }) => forms.includes(instrument) && name === column) ||
    forms.some((form) => column === `${form}_complete`);
  const isPlace = (column: string): boolean => column === 'id' || column.startsWith('redcap_');
  return {
    ...study,
    fields: study.fields.filter(
      ({ name, instrument }) => !hidden.includes(name) && !forms.includes(instrument),
    ),
    instruments: study.instruments.filter(({ name }) => !forms.includes(name)),
    events: study.events.filter(({ uniqueName }) => !events.includes(uniqueName)),
    mappings: study.mappings.filter(
      ({ instrument, event }) => !forms.includes(instrument) && !events.includes(event),
    ),
    repeating: study.repeating.filter(
      ({ instrument, event }) => !forms.includes(instrument) && !events.includes(event),
    ),
    rows: study.rows
      .filter((row: Row) => !events.includes(row.redcap_event_name ?? ''))
      .map((row: Row) => Object.fromEntries(Object.entries(row).filter(([column]) => !isHidden(column))))
      .filter((row) => Object.keys(row).some((column) => !isPlace(column))),
  };
}

function inGroup(study: Study, group: string): Study {
  return { ...study, rows: study.rows.filter((row: Row) => row.redcap_data_access_group === group) };
}

function everythingIn(study: Study): Pick<ProjectView, 'fields' | 'forms' | 'events'> {
  return {
    fields: new Map(study.fields.map(({ name }) => [name, 'read'])),
    forms: new Map(study.instruments.map(({ name }) => [name, 'read'])),
    events: study.events.length === 0 ? undefined : new Set(study.events.map(({ uniqueName }) => uniqueName)),
  };
}

function classicGroups(): World {
  const study = classicStudy();
  const rows = study.rows.map((row) => ({
    ...row,
    redcap_data_access_group: row.id === '2' ? 'rome' : 'paris',
  }));
  const blank = { id: '11', redcap_data_access_group: 'paris' };
  const whole = { ...study, groups: GROUPS, rows: [...rows, blank] };
  const smaller = inGroup(without(whole, { fields: ['born'] }), 'paris');
  const view = {
    ...everythingIn(smaller),
    events: undefined,
    rows: { kind: 'dag', dag: 'paris' } as const,
  };
  return {
    whole,
    view,
    smaller: { ...smaller, rows: [...smaller.rows, blank] },
    filters: ["[sites(1)] = '1'", '[age] > 25', "[base_complete] = '0'"],
  };
}

function longitudinalForms(): World {
  const study = longitudinalStudy();
  const onlyHidden = { id: 'B', redcap_event_name: 'end_arm_1', pulse: '80' };
  const whole = { ...study, rows: [...study.rows, onlyHidden] };
  const smaller = without(whole, { forms: ['visit'] });
  return {
    whole,
    view: everythingIn(smaller),
    // The record itself is not hidden.
    smaller: { ...smaller, rows: [...smaller.rows, { id: 'B', redcap_event_name: 'start_arm_1' }] },
    filters: ["[drug] <> ''", '[start_arm_1][age] > 30', "[meds_complete] = '0'", "[sites(1)] = '0'"],
  };
}

function armsGroup(): World {
  const study = armsStudy();
  const rows = study.rows.map((row, index) => ({
    ...row,
    redcap_data_access_group: index < 5 ? 'paris' : 'rome',
  }));
  const other = {
    id: '10',
    redcap_event_name: 'start_arm_2',
    marks___unk: '1',
    redcap_data_access_group: 'paris',
  };
  const whole = { ...study, groups: GROUPS, rows: [...rows, other] };
  const smaller = inGroup(without(whole, { fields: ['consent', 'half', 'name'] }), 'paris');
  const view = { ...everythingIn(smaller), rows: { kind: 'dag', dag: 'paris' } as const };
  return {
    whole,
    view,
    smaller,
    filters: ["[mood] = 'g'", "[weight] > 70 and [event-name] = 'visit_arm_1'", "[enrol_complete] = '2'"],
  };
}

function hiddenEvent(): World {
  const whole = armsStudy();
  const smaller = without(whole, { fields: ['consent'], events: ['visit_arm_1'], forms: ['visit'] });
  return {
    whole,
    view: everythingIn(smaller),
    smaller: { ...smaller, repeating: smaller.repeating },
    filters: ["[drug] = 'x'", "[arm-number] = '2'"],
  };
}

const WORLDS: readonly [name: string, world: () => World][] = [
  ['of a group of a classic project', classicGroups],
  ['of a longitudinal project with a hidden form', longitudinalForms],
  ['of a group of a project with arms, repeating events and missing data codes', armsGroup],
  ['of a project with a hidden event and its form', hiddenEvent],
];

function selectionsOf({ smaller, filters }: World): fc.Arbitrary<RecordSelection> {
  const dictionary = new DataDictionary(smaller.fields);
  const names = dictionary.exportColumns().map(({ name, field }) => field?.name ?? name);
  const some = (values: readonly string[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });
  const events = smaller.events.map(({ uniqueName }) => uniqueName);
  const flag = fc.boolean();
  return fc.record(
    {
      fields: some([...new Set(names)]),
      forms: some(dictionary.instruments),
      records: some(['1', '10', 'A-1', 'B', 'nobody']),
      ...(events.length > 0 && { events: some(events) }),
      filterLogic: fc.constantFrom(...filters),
      type: fc.constantFrom('flat', 'eav'),
      rawOrLabel: fc.constantFrom('raw', 'label'),
      rawOrLabelHeaders: fc.constantFrom('raw', 'label'),
      exportCheckboxLabel: flag,
      exportDataAccessGroups: flag,
      exportBlankForGrayFormStatus: flag,
      combineCheckboxOptions: flag,
      decimalCharacter: fc.constantFrom(',', '.'),
      csvDelimiter: fc.constantFrom(',', 'tab', ';', '|', '^'),
    },
    { requiredKeys: [] },
  );
}

describe('The rows of a view are written as REDCap writes those of a project without what it hides', () => {
  const start = sandboxCalls();

  const bytesOf = async (calls: CrfCalls, options: OpenRecordsOptions): Promise<string> =>
    text(await calls.openRecords(options));

  for (const [name, worldOf] of WORLDS) {
    it(`in every form of an export ${name}`, async () => {
      const world = worldOf();
      const restricted = restrict(await start(world.whole), viewOf(world.view));
      const expected = await start(world.smaller);
      await fc.assert(
        fc.asyncProperty(
          selectionsOf(world),
          fc.constantFrom('json' as const, 'csv' as const),
          async (selection, format) => {
            expect(await bytesOf(restricted, { ...selection, format })).to.equal(
              await bytesOf(expected, { ...selection, format }),
            );
            expect(await restricted.exportRecords(selection)).to.deep.equal(
              await expected.exportRecords(selection),
            );
          },
        ),
        { numRuns: 60 },
      );
    });
  }

  it('but for the numbers of files, which only REDCap knows: EAV with a file field is refused', async () => {
    const whole = armsStudy();
    const hidden = without(whole, { fields: ['name'] });
    const restricted = restrict(await start(whole), viewOf(everythingIn(hidden)));
    const refused = await rejection(restricted.exportRecords({ type: 'eav', fields: ['id', 'consent'] }));
    expect(refused.message).to.match(/^type cannot be eav under this policy with a file field/);
    expect(await restricted.exportRecords({ type: 'eav', fields: ['id', 'mood'] })).not.to.be.empty;
  });
});
