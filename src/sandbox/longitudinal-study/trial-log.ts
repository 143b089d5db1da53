import type { LogEntry } from '../redcap/action-log.js';
import { moved } from '../demo-study/made-up.js';
import { TRIAL_DESIGN, TRIAL_PLAN, TRIAL_SITES } from './trial-design.js';
import type { TrialEntry } from './trial-rows.js';

const NO_VALUES = new Set([
  'record_id',
  'redcap_event_name',
  'redcap_repeat_instrument',
  'redcap_repeat_instance',
  'redcap_data_access_group',
  'redcap_survey_identifier',
]);

/**
 * Creates a log of one year, oldest entry first: the design, every saved form some days after its visit, weekly exports
 * and monthly user exports.
 */
export function createTrialLog(entries: readonly TrialEntry[], until: string): LogEntry[] {
  const seen = new Set<string>();
  const saved = entries.map((entry, index): LogEntry => {
    const record = entry.row.record_id ?? '';
    const isNew = !seen.has(record);
    seen.add(record);
    return {
      at: `${dayOfEntry(entry, until)} ${clock(index)}`,
      username: 'coordinator',
      kind: isNew ? 'record_add' : 'record_edit',
      action: `${isNew ? 'Create' : 'Update'} record ${record}${eventText(entry.row.redcap_event_name)}`,
      details: [
        ...(entry.row.redcap_repeat_instance ? [`[instance = ${entry.row.redcap_repeat_instance}]`] : []),
        ...Object.entries(entry.row)
          .filter(([name]) => !NO_VALUES.has(name) && !name.endsWith('_timestamp'))
          .map(([name, value]) => `${name} = '${value}'`),
      ].join(', '),
      record,
      group: entry.row.redcap_data_access_group ?? '',
    };
  });
  const days = [...new Set(entries.map(({ day }) => day))].sort();
  const weekly = days
    .filter((_day, index) => index % 7 === 0)
    .map((day) =>
      routine(`${day} 06:00:00`, 'statistician', 'export', 'Data Export (API) ', 'Export record data (API)'),
    );
  const monthly = days
    .filter((_day, index) => index % 30 === 0)
    .map((day) =>
      routine(`${day} 07:30:00`, 'data.manager', 'manage', 'Manage/Design ', 'Export users (API)'),
    );
  const design = routine(createdAt(until), 'data.manager', 'manage', 'Manage/Design ', 'Create project');
  return [design, ...[...saved, ...weekly, ...monthly].sort(byMoment)];
}

/** The moment when the project of a trial was created. */
export const createdAt = (until: string): string => `${moved('2025-11-01', until)} 09:00:00`;

/** Returns an event as it follows the record's name: ` (Week 4 (Arm 1: Drug A))`. @see docs/protocol/redcap.md 13.2 */
function eventText(event: string | undefined): string {
  const planned = TRIAL_PLAN.find(({ uniqueName }) => uniqueName === event);
  const arm = TRIAL_DESIGN.arms.find(({ number }) => number === planned?.arm);
  return planned === undefined ? '' : ` (${planned.label} (Arm ${planned.arm}: ${arm?.name ?? ''}))`;
}

/** The days that pass at each site until a visit is entered; up to two more, by the day of the visit. */
const DAYS_TO_ENTRY = [1, 4, 2, 0];

function dayOfEntry({ day, row }: TrialEntry, until: string): string {
  const site = TRIAL_SITES.findIndex(({ uniqueName }) => uniqueName === row.redcap_data_access_group);
  const date = new Date(day);
  date.setUTCDate(date.getUTCDate() + (DAYS_TO_ENTRY[site] ?? 0) + (date.getUTCDate() % 3));
  const entered = date.toISOString().slice(0, 10);
  return entered < until ? entered : until;
}

function routine(
  at: string,
  username: string,
  kind: LogEntry['kind'],
  action: string,
  details: string,
): LogEntry {
  return { at, username, kind, action, details, record: '', group: '' };
}

function byMoment(left: LogEntry, right: LogEntry): number {
  return left.at < right.at ? -1 : left.at > right.at ? 1 : 0;
}

/** Returns a time on a working day, the same in every run. */
function clock(index: number): string {
  const minute = (index * 7) % 60;
  return `${String(8 + (index % 10)).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00`;
}
