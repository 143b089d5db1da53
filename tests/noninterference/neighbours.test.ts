import { expect } from 'chai';
import { mock } from 'node:test';
import { SeededRandom } from '../../src/sandbox/demo-study/random.js';
import { pairOf } from './check.js';
import { imported, requestsFor } from './requests.js';
import { openRoom } from './room.js';

describe('A project beside another one', function () {
  this.timeout(120_000);
  afterEach(() => mock.timers.reset());

  it('PROJ-02: answers the same to the last byte, whatever the other holds and does', async () => {
    for (const seed of [2, 9]) {
      const { study, left, who, twin } = pairOf(seed);
      const random = new SeededRandom(seed);
      const other = pairOf(seed + 1).study;
      // The menu of the pages has the titles of both.
      const named = { ...other, project: { ...other.project, title: twin.project.title } };
      const [quiet, busy] = await Promise.all([
        openRoom(study, who, undefined, undefined, twin),
        openRoom(study, who, undefined, undefined, named),
      ]);
      mock.timers.enable({ apis: ['Date'], now: new Date('2026-03-01T12:00:00Z') });
      let shown = 0;
      try {
        for (const request of requestsFor(study, left, who.rules)) {
          if (!random.chance(0.1)) continue;
          await busy.sendBeside(request);
          await busy.sendBeside(imported([{ [other.fields[0]?.name ?? '']: `NEW-${shown}` }]));
          const [first, second] = await Promise.all([quiet.send(request), busy.send(request)]);
          expect(second, `seed ${seed}: ${request.method ?? 'GET'} ${request.path}`).to.deep.equal(first);
          if (first.status < 300) shown += 1;
        }
      } finally {
        mock.timers.reset();
        await Promise.all([quiet.close(), busy.close()]);
      }
      expect(shown).to.be.above(10);
    }
  });
});
