import { expect } from 'chai';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFile } from '../../../src/sync/lock-file.js';

describe('the lock of a copy', () => {
  let folder: string;
  const path = (): string => join(folder, 'copy.db.lock');
  const minutesAgo = (minutes: number): Date => new Date(Date.now() - 60_000 * minutes);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'crf-lock-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function messageOf(work: () => unknown): Promise<string> {
    try {
      await work();
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  }

  const here = hostname();
  for (const [whose, text, minutes] of [
    ['of a process that has died', `${2 ** 30} ${here} 1`, 0],
    ['of an earlier process with the same number, as in a container', `${process.pid} ${here} 1`, 0],
    ['of a container that no longer exists', '1 crf-sync-28411-x 1', 6],
    ['of a machine that was started again, whose number another process has', `${process.ppid} ${here} 1`, 6],
    ['without a name', '', 0],
  ] as const)
    it(`takes over one ${whose}`, async () => {
      writeFileSync(path(), text);
      utimesSync(path(), minutesAgo(minutes), minutesAgo(minutes));
      const lock = await lockFile(path());
      lock.assertHeld();
      lock.giveBack();
      expect(existsSync(path())).to.equal(false);
    });

  for (const [whose, text, minutes] of [
    ['of a living process', `${process.ppid} ${here} 1`, 4],
    ['of another machine', '1 crf-sync-28411-x 1', 4],
    ['of this very process', `${process.pid} ${here} ${performance.timeOrigin}`, 0],
  ] as const)
    it(`respects one ${whose}`, async () => {
      writeFileSync(path(), text);
      utimesSync(path(), minutesAgo(minutes), minutesAgo(minutes));
      expect(await messageOf(() => lockFile(path()))).to.include('is writing this copy: wait until');
      expect(existsSync(path())).to.equal(true);
    });

  it('says so when another process has taken it over, and does not give back what is not its own', async () => {
    const lock = await lockFile(path());
    writeFileSync(path(), '7 elsewhere 1');
    expect(await messageOf(lock.assertHeld)).to.include(
      'Another process (7 on elsewhere) is writing this copy',
    );
    lock.giveBack();
    expect(existsSync(path())).to.equal(true);
  });
});
