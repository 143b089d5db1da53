import { expect } from 'chai';
import { columns, rowDifferences } from '../../../../src/cli/conformance/row-shape.js';

describe('rowDifferences', () => {
  const expected = [
    ...columns('text', 'name', 'note?'),
    ...columns('number', 'count'),
    ...columns('number or blank', 'group'),
    ...columns('object', 'forms'),
  ];
  const good = { name: 'a', note: '', count: 1, group: '', forms: { base: 1 } };

  for (const [what, row, differences] of [
    ['finds nothing in a row that matches the document', good, []],
    ['finds nothing if an optional column is missing', { name: 'a', count: 1, group: 7, forms: {} }, []],
    ['names a missing column', { name: 'a', group: '', forms: {} }, ['column count is missing']],
    ['names a new column', { ...good, colour: 'red' }, ['column colour is not in the document']],
    [
      'does not repeat a name that REDCap would not give a column',
      { ...good, 'ada@example.org': 'x' },
      ['column (with an unusual name) is not in the document'],
    ],
    [
      'reports a different order',
      { note: '', name: 'a', count: 1, group: '', forms: {} },
      ['the columns stand in another order'],
    ],
    [
      'reports a different type without the value',
      { ...good, count: '12345' },
      ['column count is text, the document says number'],
    ],
    ['accepts a list in place of an object', { ...good, forms: [] }, []],
    ['reports a row that is not an object', 'secret', ['a row is not an object']],
  ] as const) {
    it(what, () => {
      expect(rowDifferences([row], expected)).to.deep.equal(differences);
    });
  }

  it('reports each difference once, however many rows have it', () => {
    const rows = [
      { ...good, count: '1' },
      { ...good, count: '2' },
    ];

    expect(rowDifferences(rows, expected)).to.deep.equal(['column count is text, the document says number']);
  });
});
