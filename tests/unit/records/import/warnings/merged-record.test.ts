import { expect } from 'chai';
import { DataDictionary } from '../../../../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../../src/domain/dictionary/project-structure.js';
import { mergeRecord } from '../../../../../src/records/import/warnings/merged-record.js';
import type { PlacedRow } from '../../../../../src/records/import/warnings/sent-rows.js';
import { someField } from '../../../../support/some-field.js';

const STRUCTURE = new ProjectStructure({
  dictionary: new DataDictionary([someField('id'), someField('mass', { instrument: 'lab' })]),
  repeating: [{ event: '', instrument: 'lab' }],
});

const sentRow = (repeatInstrument: string, instance: PlacedRow['instance'], mass: string): PlacedRow => ({
  event: '',
  repeatInstrument,
  instance,
  values: new Map([['mass', mass]]),
  place: { row: 1, line: 1 },
});

describe('mergeRecord', () => {
  it('numbers new instances after the highest of their series that is stored or was sent before', () => {
    const stored = [
      { id: 'A', redcap_repeat_instrument: '', redcap_repeat_instance: '' },
      { id: 'A', redcap_repeat_instrument: 'lab', redcap_repeat_instance: 3, mass: '1' },
      { id: 'A', redcap_repeat_instrument: 'lab', redcap_repeat_instance: 2, mass: '2' },
    ];
    const sent = [
      sentRow('lab', 'new', '4'),
      sentRow('lab', 7, '7'),
      sentRow('lab', 1, '1'),
      sentRow('other', 'new', '1'),
      sentRow('lab', 'new', '8'),
    ];

    const { view } = mergeRecord(STRUCTURE, 'A', stored, sent, false);

    expect(
      view.rows.map(({ repeatInstrument, instance, values }) => [repeatInstrument, instance, values['mass']]),
    ).to.deep.equal([
      ['', 0, undefined],
      ['lab', 3, '1'],
      ['lab', 2, '2'],
      ['lab', 4, '4'],
      ['lab', 7, '7'],
      ['lab', 1, '1'],
      ['other', 1, '1'],
      ['lab', 8, '8'],
    ]);
  });
});
