import { expect } from 'chai';
import { cpuMsOf } from '../../../support/cpu-ms-of.js';
import { diskFileName } from '../../../../src/services/files/file-name.js';

describe('diskFileName', () => {
  it('takes time linear in the length of a name of dots', () => {
    const name = `a${'.'.repeat(100_000)}x`;

    expect(cpuMsOf(() => diskFileName(name, 'x'))).to.be.below(1_000);
  });

  it('shortens a name to 240 bytes, between two characters, and keeps its extension', () => {
    const emoji = '🙂'; // four bytes

    expect(diskFileName(`${'a'.repeat(300)}.pdf`, 'x')).to.equal(`${'a'.repeat(236)}.pdf`);
    expect(diskFileName(`${emoji.repeat(100)}.tar`, 'x')).to.equal(`${emoji.repeat(59)}.tar`);
    expect(diskFileName(`a${emoji.repeat(100)}.tar`, 'x')).to.equal(`a${emoji.repeat(58)}.tar`);
  });

  it('keeps a name of 240 bytes', () => {
    expect(diskFileName(`${'é'.repeat(118)}.pdf`, 'x')).to.equal(`${'é'.repeat(118)}.pdf`);
  });
});
