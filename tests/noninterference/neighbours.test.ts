import { expect } from 'chai';
import { BESIDE_LEAKS } from './beside/beside-leaks.js';
import { playBeside } from './beside/play-beside.js';
import { survivorsBeside } from './beside/run-beside.js';

describe('A project beside another one', function () {
  this.timeout(600_000);

  it('PROJ-02: answers the same to the last byte, whatever the other holds and does', async () => {
    for (const seed of [2, 9]) {
      const { compared, shown, findings } = await playBeside({ seed, share: 0.12 });
      expect(findings, `seed ${seed}`).to.deep.equal([]);
      expect(Math.min(compared, shown)).to.be.above(15);
    }
  });

  it('is told from one that has something in common with it', async () => {
    const leaks = BESIDE_LEAKS.filter((make) =>
      /^(a cache of fields\.list|the key of .*|exports)$/.test(make().name),
    );
    expect(leaks).to.have.length(4);
    expect(await survivorsBeside(1, leaks)).to.deep.equal([]);
    expect(BESIDE_LEAKS.length).to.be.at.least(18);
  });
});
