import { expect } from 'chai';
import fc from 'fast-check';
import { safeWording } from '../../../../src/gateways/redcap/safe-wording.js';

describe('safeWording', () => {
  for (const [text, safe] of [
    ['The event "visit_9" does not exist in arm 2.', 'The event … does not exist in arm …'],
    [
      'This record cannot be deleted because it is locked.',
      'This record cannot be deleted because it is locked',
    ],
    [
      "The user 'ada.lovelace' is already assigned to the role Monitor",
      'The user … is already assigned to the role …',
    ],
    ['<b>Maintenance</b> until 18:00', undefined],
    ['Smith, Jane 1970-01-01', undefined],
    ['', undefined],
  ] as const) {
    it(`turns ${JSON.stringify(text)} into ${JSON.stringify(safe)}`, () => {
      expect(safeWording(text)).to.equal(safe);
    });
  }

  it('never repeats a value, however REDCap quotes it', () => {
    const value = fc.stringMatching(/^[A-Za-z0-9@.é'-]{4,20}$/).map((text) => `zq${text}`);
    fc.assert(
      fc.property(value, fc.constantFrom('"', "'", '', '('), (secret, quote) => {
        const wording = safeWording(`The record ${quote}${secret}${quote} does not exist in this project`);

        expect(wording).to.equal('The record … does not exist in this project');
      }),
      { numRuns: 100 },
    );
  });
});
