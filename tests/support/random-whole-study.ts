import fc from 'fast-check';
import { DEMO_TOKEN } from '../../src/sandbox/demo-study/demo-study.js';
import { RIGHT_NAMES, rightsOf } from '../../src/sandbox/redcap/rights.js';
import type { Study, StudyUser } from '../../src/sandbox/redcap/study.js';
import { uniqueGroupName } from '../../src/sandbox/redcap/unique-names.js';
import { field } from './import-project.js';
import { STUDY } from './random-import-study.js';

/** Names of which some have the same beginning, and thus unique names that end in a number. */
const LABEL = fc.constantFrom(
  'North',
  'Le Havre',
  'Süd',
  'Centre hospitalier de Nantes',
  'Centre hospitalier de Brest',
  '日本',
);
const RIGHTS = fc.record(Object.fromEntries(RIGHT_NAMES.map((name) => [name, fc.constantFrom(0, 1)])));
const SETTINGS = fc.record({
  project_language: fc.constantFrom('English', 'Deutsch'),
  purpose_other: fc.constantFrom('', 'Teaching'),
  custom_record_label: fc.constantFrom('', '[age] years'),
  project_irb_number: fc.constantFrom('', 'IRB, "7"'),
  record_autonumbering_enabled: fc.constantFrom(0, 1),
});

/** A random study with random settings, groups, roles, users, calculations and files, and with records in groups. */
export const WHOLE_STUDY: fc.Arbitrary<Study> = fc
  .tuple(
    STUDY,
    SETTINGS,
    fc.uniqueArray(LABEL, { maxLength: 4 }),
    fc.array(fc.tuple(LABEL, RIGHTS, fc.constantFrom(0, 1, 2, 128, 130)), { maxLength: 3 }),
    fc.array(fc.tuple(RIGHTS, fc.nat(3), fc.nat(3)), { maxLength: 4 }),
  )
  .map(([study, settings, groupNames, roleParts, userParts]) => {
    const taken = new Set<string>();
    const groups = groupNames.map((name, at) => {
      const uniqueName = uniqueGroupName(name, taken);
      taken.add(uniqueName);
      return { name, uniqueName, id: at + 1 };
    });
    const labels = new Set<string>();
    const roles = roleParts.flatMap(([label, rights, right], at) => {
      if (labels.has(label)) return [];
      labels.add(label);
      const forms = Object.fromEntries(study.instruments.map(({ name }) => [name, right]));
      const formRights = {
        forms,
        formsExport: Object.fromEntries(Object.keys(forms).map((name) => [name, 1])),
      };
      return [{ uniqueName: `U-ABCDEFGHI${at}`, label, rights: rightsOf(rights), formRights }];
    });
    const users = userParts.map(([rights, group, role], at): StudyUser => ({
      username: `user.${at}`,
      email: '',
      firstName: '',
      lastName: '',
      token: '',
      expiration: at % 2 === 0 ? '' : '2031-01-31',
      group: groups[group]?.uniqueName ?? '',
      role: roles[role]?.uniqueName ?? '',
      rights: rightsOf(rights),
    }));
    const groupOf = (at: number): string => groups[at % (groups.length + 1)]?.uniqueName ?? '';
    const ids = [...new Set(study.rows.map((row) => row.record_id))];
    const scans = study.rows
      .filter((row, at) => row.base_complete !== undefined && at % 2 === 0)
      .map(({ record_id: record = '', redcap_event_name: event = '' }, at) => ({
        record,
        event,
        instrument: '',
        instance: 0,
        field: 'scan',
        name: `scan "${at}" ü.txt`,
        type: 'text/plain',
        bytes: Buffer.from(`bytes of ${record} at ${event}`),
      }));
    const scanOf = (row: Study['rows'][number]): { scan?: string } => {
      const scan = scans.find(
        ({ record, event }) => record === row.record_id && event === (row.redcap_event_name ?? ''),
      );
      return scan === undefined || row.base_complete === undefined ? {} : { scan: scan.name };
    };
    return {
      ...study,
      fields: [
        ...study.fields.filter(({ instrument }) => instrument === 'base'),
        field('scan', { instrument: 'base', type: 'file' }),
        field('twice', { instrument: 'base', type: 'calc', choicesOrCalculations: '[age] * 2' }),
        ...study.fields.filter(({ instrument }) => instrument !== 'base'),
      ],
      files: scans,
      project: { ...study.project, settings },
      // As in REDCap, where the unique name follows from the label.
      events: study.events.map((event) => ({ ...event, label: event.uniqueName.replace(/_arm_.*/, '') })),
      groups,
      roles,
      users: [...study.users.filter(({ token }) => token === DEMO_TOKEN), ...users],
      rows: study.rows.map((row) => ({
        ...row,
        redcap_data_access_group: groupOf(ids.indexOf(row.record_id)),
        ...scanOf(row),
      })),
    };
  });
