import { expect } from 'chai';
import fc from 'fast-check';
import { dictionaryRefusal, problemsOf } from './dictionary-refusal.js';
import { printed } from '../../../support/printed.js';

const HEADER = 'field_name,form_name,field_type,field_label';

const CELLS = 'has another number of cells than the header';

describe('parseDictionaryCsv, given a file that is not a data dictionary', () => {
  for (const [description, text] of [
    ['nothing', ''],
    ['blank lines', '\n\r\n\n'],
    ['a header alone', HEADER],
    ['a byte order mark alone', '\u{feff}'],
  ] as const) {
    it(`reports that ${description} contains no field`, async () => {
      expect(await problemsOf(text)).to.deep.equal(['dictionary has no field']);
    });
  }

  const faults: readonly [string, string, string][] = [
    ['no field name', ',base,text,', 'field_name must be a field name'],
    ['a field name with a blank', 'SECRET name,base,text,', 'field_name must be a field name'],
    ['a field name of 101 characters', `${'a'.repeat(101)},base,text,`, 'field_name must be a field name'],
    ['a field name that starts with a digit', '1st,base,text,', 'field_name must be a field name'],
    ['a form name in upper case', 'age,SECRET,text,', 'form_name must be the unique name of an instrument'],
    ['no form name', 'age,,text,', 'form_name must be the unique name of an instrument'],
    ['a field type of two words', 'age,base,SECRET type,', 'field_type must be a field type'],
    ['no field type', 'age,base,,', 'field_type must be a field type'],
  ];
  for (const [description, row, problem] of faults) {
    it(`names the row and the rule for ${description}`, async () => {
      expect(await problemsOf(`${HEADER}\nid,base,text,\n${row}\n`)).to.deep.equal([
        `dictionary row 3 (line 3), ${problem}`,
      ]);
    });
  }

  it('IN-03: reports the first hundred problems of many', async () => {
    expect(await problemsOf(`${HEADER}\n${'x,,,\n'.repeat(1000)}`)).to.have.lengthOf(100);
  });

  it('IN-03: reads no more than 100,000 rows', async () => {
    expect(await problemsOf(`${HEADER}\n${',,,\n'.repeat(100_000)}`)).to.deep.equal([
      'dictionary has more than 100000 rows',
    ]);
  });

  it('IN-03: reads no row that is longer than a million characters', async () => {
    expect(await problemsOf(`${HEADER}\nage,base,text,${'x'.repeat(1024 * 1024)}`)).to.deep.equal([
      'dictionary row 2 (line 2) has more than 1048576 characters',
    ]);
  });

  it('IN-03: reads no row that has more than a million delimiters, on its way to the end of it', async () => {
    expect(await problemsOf(','.repeat(3_000_000))).to.deep.equal([
      'dictionary row 1 (line 1) has more than 1048576 characters',
    ]);
    expect(await problemsOf(`${HEADER}\nid,base,text,\n${',\t'.repeat(1_500_000)}`)).to.deep.equal([
      'dictionary row 3 (line 3) has more than 1048576 characters',
    ]);
  });

  it('lets others have their turn while it reads', async () => {
    let turns = 0;
    const others = setInterval(() => (turns += 1), 0);
    await problemsOf(`${HEADER}\n${',,,\n'.repeat(50_000)}`);
    clearInterval(others);

    expect(turns).to.be.above(5);
  });

  it('reports all problems, in the order of the rows', async () => {
    expect(await problemsOf(`${HEADER}\n,base,text,\nid,base,text,\nage,Base,?,\n`)).to.deep.equal([
      'dictionary row 2 (line 2), field_name must be a field name',
      'dictionary row 4 (line 4), form_name must be the unique name of an instrument',
      'dictionary row 4 (line 4), field_type must be a field type',
    ]);
  });

  it('reports a column that is missing from the header once, not for every row', async () => {
    expect(await problemsOf(`field_name,form_name\n${'id,base\n'.repeat(200)}`)).to.deep.equal([
      'dictionary has no column field_type ("Field Type") in its header',
    ]);
    expect(await problemsOf('Field Label\nid\nage\n')).to.deep.equal([
      'dictionary has no column field_name ("Variable / Field Name") in its header',
      'dictionary has no column form_name ("Form Name") in its header',
      'dictionary has no column field_type ("Field Type") in its header',
    ]);
  });

  for (const end of ['\n', '\r\n'])
    it(`names the line as a text editor counts it, behind ${JSON.stringify(end)}`, async () => {
      const lines = ['\u{feff}sep=,', HEADER, '', 'id,base,text,"one', '', 'two"', '?,base,text,'];
      expect(await problemsOf(lines.join(end))).to.deep.equal([
        'dictionary row 4 (line 7), field_name must be a field name',
      ]);
    });

  it('counts rows as a spreadsheet does: blank lines count, line breaks in a cell do not', async () => {
    expect(
      await problemsOf(`${HEADER}\n\nid,base,text,"one\r\n\r\ntwo\nthree"\n\n?,base,text,\n`),
    ).to.deep.equal(['dictionary row 5 (line 8), field_name must be a field name']);
  });

  const broken: readonly [description: string, text: string, row: number, rule?: string][] = [
    ['a quote that is not closed', `${HEADER}\nid,base,text,\nage,base,text,"SECRET\n\n\n`, 3],
    ['text after a closing quote', `${HEADER}\nid,base,text,"a"SECRET\n`, 2],
    ['a quote inside text', `${HEADER}\n\nid,base,text,SECRET"a"\n`, 3],
    ['one cell too many', `${HEADER}\nid,base,text,,SECRET\n`, 2, CELLS],
    ['one cell too few', `${HEADER}\nid,base,text,\nage,base,SECRET\n`, 3, CELLS],
    ['a quote in the header', `${HEADER}"\nid,base,text,\n`, 1],
  ];
  for (const [description, text, row, rule = 'is not valid CSV'] of broken) {
    it(`names the row that cannot be read, and why: ${description}`, async () => {
      expect(await problemsOf(text)).to.deep.equal([`dictionary row ${row} (line ${row}) ${rule}`]);
    });
  }

  const secrets = [
    ...faults.map(([description, row]) => [description, `${HEADER}\n${row}`] as const),
    ...broken,
  ].filter(([, text]) => text.includes('SECRET'));
  for (const [description, text] of secrets) {
    it(`never repeats text from the file: ${description}`, async () => {
      const refusal = await dictionaryRefusal(text);

      expect(refusal).to.be.an('error');
      expect(printed(refusal)).to.not.include('SECRET');
    });
  }

  it('throws only InvalidRequestError, for any file', async () => {
    const piece = fc.oneof(
      fc.constantFrom(',', '"', '\n', '\r\n', '\r', ';', '\u{feff}', '__proto__', 'field_name', 'Field Type', 'base', 'y'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ); // prettier-ignore
    const file = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(file, fc.boolean(), async (text, hasHeader) => {
        await dictionaryRefusal(hasHeader ? `${HEADER}\n${text}` : text);
      }),
    );
  });
});
