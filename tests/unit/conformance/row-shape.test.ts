import { expect } from 'chai';
import { columns, rowDifferences } from '../../../src/conformance/row-shape.js';

describe('rowDifferences', () => {
  const expected = [
    ...columns('text', 'name', 'note?'),
    ...columns('number', 'count'),
    ...columns('number or blank', 'group'),
    ...columns('object', 'forms'),
  ];
  const good = { name: 'a', note: '', count: 1, group: '', forms: { base: 1 } };

  for (const [what, row, differences] of [
    ['is none for a row as the document has it', good, []],
    ['is none without an optional column', { name: 'a', count: 1, group: 7, forms: {} }, []],
    ['names a column that is missing', { name: 'a', group: '', forms: {} }, ['column count is missing']],
    ['names a column that is new', { ...good, colour: 'red' }, ['column colour is not in the document']],
    [
      'does not repeat a name that is none of REDCap’s',
      { ...good, 'ada@example.org': 'x' },
      ['column (with an unusual name) is not in the document'],
    ],
    [
      'tells another order',
      { note: '', name: 'a', count: 1, group: '', forms: {} },
      ['the columns stand in another order'],
    ],
    [
      'tells a type without the value',
      { ...good, count: '12345' },
      ['column count is text, the document says number'],
    ],
    ['tells a list in the place of an object as an object', { ...good, forms: [] }, []],
    ['tells a row that is none', 'secret', ['a row is no object']],
  ] as const) {
    it(what, () => {
      expect(rowDifferences([row], expected)).to.deep.equal(differences);
    });
  }

  it('says each difference once, however many rows have it', () => {
    const rows = [
      { ...good, count: '1' },
      { ...good, count: '2' },
    ];

    expect(rowDifferences(rows, expected)).to.deep.equal(['column count is text, the document says number']);
  });
});
