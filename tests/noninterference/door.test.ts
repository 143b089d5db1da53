import { expect } from 'chai';
import { playDoor } from './door/play-door.js';
import { LEAKING_CALLS, survivorsAtDoor } from './door/run-door.js';

describe("REDCap's API under a policy", function () {
  this.timeout(600_000);

  it('GW-03: answers byte for byte as the API of a project from which what is hidden was taken away', async () => {
    for (const seed of [2, 3]) {
      const { compared, shown, findings, what } = await playDoor(seed, { reads: 50 });
      expect(findings, `seed ${seed}: ${what}`).to.deep.equal([]);
      expect(Math.min(compared, shown)).to.be.above(15);
    }
  });

  it('is told from one whose calls leak', async () => {
    const leaks = LEAKING_CALLS.filter(({ name }) => /^(EAV|groups|events)$/.test(name));
    expect(leaks).to.have.length(3);
    expect(await survivorsAtDoor(1, leaks)).to.deep.equal([]);
  });

  it('is told, by records in ODM alone, from one that names the hidden form on which their id is', async () => {
    const leak = LEAKING_CALLS.find(({ name }) => name === 'the form on which the id really is');
    expect(leak).to.not.equal(undefined);
    const play = { reads: 40, isOdm: true };

    const { compared, findings } = await playDoor(19, play);
    const leaking = await playDoor(19, { ...play, leak });

    expect(findings).to.deep.equal([]);
    expect(compared).to.be.above(40);
    expect(leaking.findings).to.have.nested.property('[0].told').that.includes('FormOID');
  });
});
