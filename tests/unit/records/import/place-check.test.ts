import { expect } from 'chai';
import { InvalidRecordsError } from '../../../../src/domain/errors/caller-errors.js';
import { CrfError } from '../../../../src/domain/errors/crf-error.js';
import type {
  CheckedImportOptions,
  CrfClient,
  ImportRow,
} from '../../../../src/gateways/redcap/crf-client.js';
import type { Study } from '../../../../src/sandbox/redcap/study.js';
import { groupsStudy } from '../../../support/groups-study.js';
import { rejection } from '../../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../../support/sandbox-client.js';
import { classicStudy, longitudinalStudy } from '../../../support/studies.js';

/** A classic project in which an instrument repeats. */
function repeatingStudy(): Study {
  const { fields, instruments, ...study } = longitudinalStudy();
  return {
    ...study,
    ...{ fields, instruments, arms: [], events: [], mappings: [] },
    repeating: [{ event: '', instrument: 'meds', customLabel: '' }],
    rows: [],
  };
}

const STUDIES: readonly (readonly [name: string, study: () => Study, cells: Record<string, string[]>])[] = [
  ['with arms, repeats and groups', groupsStudy, { name: ['x'], weight: ['70.0'], drug: ['x'], alive: [''] }],
  ['with two events', longitudinalStudy, { age: ['40'], pulse: ['60'], drug: ['x'], visit_complete: ['1'] }],
  ['with a repeating instrument and no events', repeatingStudy, { age: ['40'], drug: ['x'] }],
  ['with nothing of that', classicStudy, { age: ['40'], sites___1: ['0'] }],
];
const EVENTS = [undefined, '', 'start_arm_1', 'visit_arm_1', 'end_arm_1', 'start_arm_2', 'starts_arm_1'];
const INSTRUMENTS = [undefined, '', 'meds', 'visit', 'enrol', 'nothing'];
const INSTANCES = [undefined, '', '1', '2', 'new', '0', '1.5', '100000'];
const GROUPS = [undefined, '', 'north', 'North', 'west'];

/** Returns rows for every place that can be written, and more. */
function rowsFor(cells: Record<string, string[]>): ImportRow[] {
  const places = EVENTS.flatMap((event) =>
    INSTRUMENTS.flatMap((instrument) =>
      INSTANCES.map((instance) => ({
        redcap_event_name: event,
        redcap_repeat_instrument: instrument,
        redcap_repeat_instance: instance,
      })),
    ),
  );
  const groups = GROUPS.map((group) => ({ redcap_data_access_group: group }));
  const values = Object.entries(cells).flatMap(([name, texts]) => texts.map((text) => ({ [name]: text })));
  return [...places.flatMap((place) => values.map((value) => ({ ...place, ...value }))), ...groups].map(
    (row) => ({
      id: 'N-1',
      ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)),
    }),
  );
}

function asEav({ id, ...row }: ImportRow): ImportRow {
  const place = Object.entries(row).filter(([name]) => /^redcap_(?:event|repeat)/.test(name));
  const [name = 'id', value = id] = Object.entries(row).find(([each]) => !each.startsWith('redcap_')) ?? [];
  return { record: id, ...Object.fromEntries(place), field_name: name, value } as ImportRow;
}

describe('Where the rows of an import go', () => {
  let started: SandboxClient;
  let client: CrfClient;
  const open = async (study: Study): Promise<void> => {
    started = await startSandboxClient(study);
    ({ client } = started);
  };
  afterEach(() => started.close());

  const isRefused = async (row: ImportRow, options: CheckedImportOptions): Promise<boolean> => {
    try {
      await client.importRecords([row], options);
      return false;
    } catch (error) {
      if (error instanceof CrfError) return true;
      throw error;
    }
  };

  for (const [name, study, cells] of STUDIES)
    for (const type of ['flat', 'eav'] as const)
      it(`IN-23: is refused by a dry run if and only if REDCap refuses it, in a project ${name}, ${type}`, async function () {
        this.timeout(120_000);
        await open(study());
        const differing: string[] = [];
        for (const flat of rowsFor(cells)) {
          const row = type === 'eav' ? asEav(flat) : flat;
          const isFound = await isRefused(row, { type, dryRun: true, recordIdMinLength: 1 });
          const isStored = !(await isRefused(row, { type, check: false }));
          if (isFound === isStored)
            differing.push(`${JSON.stringify(row)} is ${isFound ? 'found' : 'not found'}`);
        }
        expect(differing).to.deep.equal([]);
      });

  const problemsOf = async (row: ImportRow): Promise<object[]> => {
    const error: unknown = await rejection(
      client.importRecords([{ id: 'N-1', ...row }], { recordIdMinLength: 1 }),
    );
    expect(error).to.be.instanceOf(InvalidRecordsError);
    return (error as InvalidRecordsError).errors.map(({ field, message }) => ({ [field]: message }));
  };

  for (const [row, problem] of [
    [
      { redcap_event_name: 'visits_arm_1', weight: '70.0' },
      {
        redcap_event_name:
          'has the event visits_arm_1, which the project does not have; did you mean visit_arm_1?',
      },
    ],
    [
      { redcap_event_name: 'start_arm_2', drug: 'x' },
      { drug: 'belongs to meds, which is not at start_arm_2, but at start_arm_1' },
    ],
    [{ weight: '70.0' }, { weight: 'belongs to visit, which is not at start_arm_1, but at visit_arm_1' }],
    [
      { redcap_event_name: 'start_arm_1', drug: 'x' },
      {
        drug: 'belongs to the repeating instrument meds: its rows have redcap_repeat_instrument and redcap_repeat_instance',
      },
    ],
    [
      {
        redcap_event_name: 'start_arm_1',
        redcap_repeat_instrument: 'meds',
        redcap_repeat_instance: '1',
        name: 'x',
      },
      { name: 'belongs to enrol, while the row is one of the repeating instrument meds' },
    ],
    [
      {
        redcap_event_name: 'start_arm_1',
        redcap_repeat_instrument: 'enrol',
        redcap_repeat_instance: '1',
        name: 'x',
      },
      { redcap_repeat_instrument: 'has the instrument enrol, which does not repeat at start_arm_1' },
    ],
    [
      { redcap_event_name: 'start_arm_1', redcap_repeat_instance: '1', drug: 'x' },
      { redcap_repeat_instrument: 'is needed with redcap_repeat_instance: what repeats here is meds' },
    ],
    [
      { redcap_event_name: 'start_arm_2', redcap_repeat_instance: '1', name: 'x' },
      { redcap_repeat_instance: 'must be empty: neither an instrument nor the event repeats here' },
    ],
    [
      { redcap_event_name: 'visit_arm_1', weight: '70.0' },
      { redcap_repeat_instance: 'must be a whole number from 1, or new' },
    ],
    [
      { redcap_data_access_group: 'South' },
      {
        redcap_data_access_group:
          'must be the unique name of a data access group: north, south; did you mean south?',
      },
    ],
  ] as const)
    it(`is named in ${JSON.stringify(row)}`, async () => {
      await open(groupsStudy());
      expect(await problemsOf(row)).to.deep.equal([problem]);
    });

  it('is no group where the project has none', async () => {
    await open(classicStudy());
    expect(await problemsOf({ redcap_data_access_group: 'north' })).to.deep.equal([
      { redcap_data_access_group: 'must be empty: the project has no data access groups' },
    ]);
  });

  it('is checked before anything is stored, with typed values and with only the changes too', async () => {
    await open(longitudinalStudy());
    const rows = [{ id: 'A-1', redcap_event_name: 'end_arm_1', age: 41 }] as unknown as ImportRow[];
    for (const options of [{ changes: true }, { changes: true, dryRun: true }, { verify: true }])
      expect(
        await rejection(client.importRecords(rows, { ...options, recordIdMinLength: 1 })),
      ).to.have.nested.property(
        'errors[0].message',
        'belongs to base, which is not at end_arm_1, but at start_arm_1',
      );
    expect(await rejection(client.importRows(rows, { recordIdMinLength: 1 }))).to.have.nested.property(
      'errors[0].field',
      'age',
    );
  });

  it('is told with its row where only REDCap can refuse it, in the words of REDCap that are no values', async () => {
    await open(groupsStudy());
    started.sandbox.project.records.lock('N-1', 'enrol');
    const rows = [
      { id: 'N-1', redcap_event_name: 'visit_arm_1', redcap_repeat_instance: '1', weight: '70.0' },
      { id: 'N-1', redcap_event_name: 'start_arm_1', name: 'x' },
    ];
    const error = await rejection(client.importRecords(rows, { recordIdMinLength: 1 }));
    expect(error.errors).to.deep.equal([
      {
        ...{ record: 'N-1', field: 'name', row: 2, line: 1 },
        message: 'belongs to a locked instrument: unlock it in REDCap first',
      },
    ]);
  });
});
