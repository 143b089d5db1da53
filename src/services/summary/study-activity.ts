import type { CrfCalls } from '../../gateways/redcap/crf-client.js';

/** The activity in a project by day. */
export interface StudyActivity {
  readonly days: readonly ActivityDay[];
}

export interface ActivityDay {
  /** `YYYY-MM-DD`, in the server's time zone. */
  readonly day: string;
  /** Records created or changed by people. */
  readonly saves: number;
  /** Records created or changed through the API or a file. */
  readonly imports: number;
  readonly exports: number;
}

const DAY_MS = 86_400_000;
const DAYS = 28;

/**
 * Counts the log entries of the last four weeks by day. The last day is today in UTC, or the day after if the log has
 * entries of it: the server may be east of UTC.
 *
 * @throws {CrfError} errors of `Log.list`
 */
export async function readActivity(client: Pick<CrfCalls, 'log'>, now: Date): Promise<StudyActivity> {
  const days = new Map<string, { saves: number; imports: number; exports: number }>();
  for (let ago = DAYS - 1; ago >= -1; ago -= 1)
    days.set(dayOf(new Date(now.getTime() - ago * DAY_MS)), { saves: 0, imports: 0, exports: 0 });
  const [from = ''] = [...days.keys()];
  for (const { at, action, origin } of await client.log.list({ from, caller: 'summary' })) {
    const day = days.get(at.slice(0, 10));
    if (day === undefined) continue;
    if (action === 'data_exported') day.exports += 1;
    else if (action === 'record_created' || action === 'record_updated') {
      if (origin === 'form') day.saves += 1;
      else day.imports += 1;
    }
  }
  const counted = [...days].map(([day, counts]) => ({ day, ...counts }));
  const tomorrow = counted.at(-1);
  const hasTomorrow = tomorrow !== undefined && tomorrow.saves + tomorrow.imports + tomorrow.exports > 0;
  return { days: hasTomorrow ? counted.slice(1) : counted.slice(0, -1) };
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
