import { expect } from 'chai';
import { parseXmlRows } from '../../../src/wire/parse-rows.js';

function rowsOf(data: string, hasAnyRoot = false): Record<string, string>[] | undefined {
  return parseXmlRows(data, hasAnyRoot)?.map((row) => Object.fromEntries(row));
}

describe('parseXmlRows', () => {
  it('reads plain values, CDATA, entities and empty elements', () => {
    const item = '<item><id>1</id><a>x &lt; &#233;</a><b><![CDATA[<i> & </item>]]></b><c/></item>';

    expect(rowsOf(`<records>${item}</records>`)).to.deep.equal([
      { id: '1', a: 'x < é', b: '<i> & </item>', c: '' },
    ]);
  });

  it('reads rights by instrument as one cell in lists of users and roles', () => {
    const forms = '<forms>\n<base>1</base>\n<day_3>2</day_3>\n</forms>';

    expect(rowsOf(`<users><item>${forms}</item></users>`, true)).to.deep.equal([{ forms: 'base:1,day_3:2' }]);
  });

  it('leaves out elements that have no end, or attributes', () => {
    const item = '<item><a>1<b>2</b><c x="1">3</c><d>4</item><item><e>5</e></item>';

    expect(rowsOf(`<records>${item}</records>`)).to.deep.equal([{ b: '2' }, { e: '5' }]);
  });

  // Each of these takes an hour or more where the reader tries several ways to read a part.
  for (const [what, data] of [
    ['items without an end', '<item>'.repeat(200_000)],
    ['an item without an end, with CDATA in its cells', `<item>${'<a><![CDATA[x]]></a>'.repeat(60)}`],
    ['a cell without an end, with CDATA', `<item><a>${'<![CDATA[x]]>'.repeat(60)}</item>`],
    ['CDATA without an end', '<item><a><![CDATA['.repeat(100_000)],
  ] as const) {
    it(`reads ${what} once`, () => {
      const rows = rowsOf(`<records>${data}</records>`) ?? [];

      expect(rows.flatMap((row) => Object.keys(row))).to.deep.equal([]);
    });
  }

  it('refuses a document without a list', () => {
    expect(rowsOf('id,age')).to.equal(undefined);
  });
});
