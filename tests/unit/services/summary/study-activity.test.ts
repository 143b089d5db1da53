import { expect } from 'chai';
import type { LogEntry } from '../../../../src/gateways/redcap/crf-client.js';
import { readActivity } from '../../../../src/services/summary/study-activity.js';

const NOW = new Date('2026-03-10T20:00:00Z');

describe('readActivity', () => {
  const entry = (at: string, action: LogEntry['action'], origin: LogEntry['origin'] = 'form') =>
    ({ at, action, origin }) as LogEntry;
  const unread = () => Promise.reject(new Error('The log is read as entries.'));
  const daysOf = async (...entries: readonly LogEntry[]) =>
    (await readActivity({ log: { open: unread, list: () => Promise.resolve([...entries]) } }, NOW)).days;

  it('counts saves, imports and exports of the last 28 days', async () => {
    const days = await daysOf(
      entry('2026-03-10 08:00', 'record_created'),
      entry('2026-03-10 09:00', 'record_updated', 'api'),
      entry('2026-03-09 09:00', 'data_exported', 'api'),
      entry('2026-01-01 09:00', 'data_exported', 'api'),
    );

    expect(days).to.have.lengthOf(28);
    expect(days[0]).to.include({ day: '2026-02-11', exports: 0 });
    expect(days.slice(-2)).to.deep.equal([
      { day: '2026-03-09', saves: 0, imports: 0, exports: 1 },
      { day: '2026-03-10', saves: 1, imports: 1, exports: 0 },
    ]);
  });

  it('ends with the day that has begun on a server east of UTC', async () => {
    const days = await daysOf(entry('2026-03-11 05:00', 'record_created'));

    expect(days).to.have.lengthOf(28);
    expect(days.at(-1)).to.deep.equal({ day: '2026-03-11', saves: 1, imports: 0, exports: 0 });
  });
});
