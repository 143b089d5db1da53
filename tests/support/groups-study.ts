import { ALL_RIGHTS } from '../../src/sandbox/redcap/rights.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { armsStudy } from './studies.js';

/** The record of the group north. */
export const OWN = 'N-1';

/** A record of the group south, and one of no group. */
export const OTHERS = ['SOUTH-1', 'SOUTH-2'] as const;

/** The token of the user `north` of the group north, who has every right but those over groups and users. */
export const NORTH_TOKEN = '0F'.repeat(16);

const SECRET = 'secret of the south';
const WEIGHT = '98765.4';

/** The values that appear only in records, files and log entries of others. The last is calculated. */
export const SECRETS = [SECRET, WEIGHT, '49382.7'] as const;

/** Returns a study with the record `OWN`, those of `OTHERS`, and in each of them files, repeats and log entries. */
export function groupsStudy(): Study {
  const base = armsStudy();
  const [manager] = base.users;
  if (manager === undefined) throw new Error('There is no data manager.');
  // With the rights over groups and users, users could leave their group themselves.
  const rights = { ...ALL_RIGHTS, data_access_groups: 0, user_rights: 0 };
  return {
    ...base,
    groups: [
      { name: 'North', uniqueName: 'north', id: 1 },
      { name: 'South', uniqueName: 'south', id: 2 },
    ],
    surveys: [{ instrument: 'enrol', hasReturnCodes: true }],
    reports: [{ id: 1, title: 'All', fields: ['name', 'note', 'drug', 'weight'], filterLogic: '' }],
    users: [manager, { ...manager, username: 'north', token: NORTH_TOKEN, group: 'north', rights }],
    rows: [
      ...rowsOf(OWN, 'north', 'open', '71.5'),
      ...rowsOf('SOUTH-1', 'south', SECRET, WEIGHT),
      ...rowsOf('SOUTH-2', '', SECRET, WEIGHT),
    ],
    files: [OWN, ...OTHERS].map((record) => ({
      record,
      event: 'start_arm_1',
      instrument: '',
      instance: 0,
      field: 'consent',
      name: `${record === OWN ? 'open' : SECRET}.pdf`,
      type: 'application/pdf',
      bytes: Buffer.from(record === OWN ? 'open' : SECRET),
    })),
    log: [OWN, ...OTHERS].map((record) => ({
      at: '2026-02-01 10:00:00',
      username: 'coordinator',
      kind: 'record_add' as const,
      action: `Create record ${record}`,
      details: record === OWN ? 'open' : SECRET,
      record,
      group: record === OWN ? 'north' : record === 'SOUTH-1' ? 'south' : '',
    })),
  };
}

function rowsOf(id: string, group: string, text: string, weight: string) {
  const start = { id, redcap_event_name: 'start_arm_1', redcap_data_access_group: group };
  return [
    {
      ...start,
      redcap_survey_identifier: text,
      name: text,
      note: text,
      consent: `${text}.pdf`,
      enrol_complete: '2',
    },
    { ...start, redcap_repeat_instrument: 'meds', redcap_repeat_instance: '1', drug: text },
    { ...start, redcap_event_name: 'visit_arm_1', redcap_repeat_instance: '1', weight, visit_complete: '2' },
  ];
}
