import { expect } from 'chai';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { classicStudy } from '../../support/studies.js';
import { jsonOf, post, refusalOf, textOf, type TestSandbox } from './wire.js';

const record = { content: 'record' };
const MALFORMED = 'The data being imported is not formatted correctly.';
const MALFORMED_JSON = `${MALFORMED} PHP error from JSON decoder: Syntax error. The JSON must be in an array, as in [{ ... }].`;

describe('The data of a record import', () => {
  let sandbox: TestSandbox;

  beforeEach(async () => {
    sandbox = await startTestSandbox(classicStudy());
  });
  afterEach(() => sandbox.close());

  const stored = (id: string, fields: string): Promise<unknown> =>
    jsonOf(sandbox, { ...record, records: id, fields });

  for (const [what, format, data] of [
    ['CSV', 'csv', 'id,age,sites___2,sex\n2,31,1,2\n'],
    [
      'CSV with CR LF, quotes and a byte order mark',
      'csv',
      '\uFEFF"id","age","sites___2","sex"\r\n"2","31","1","2"\r\n',
    ],
    ['CSV with blanks in its header and empty lines', 'csv', 'id , age,sites___2,sex\n\n2,31,1,2\n\n'],
    ['CSV without a last line feed', 'csv', 'id,age,sites___2,sex\n2,31,1,2'],
    ['CSV with short rows', 'csv', 'id,age,sites___2,sex,weight,born\n2,31,1,2\n'],
    ['CSV with columns in upper case', 'csv', 'ID,Age,SITES___2,SEX\n2,31,1,2\n'],
    ['JSON of texts', 'json', '[{"id":"2","age":"31","sites___2":"1","sex":"2"}]'],
    ['JSON of numbers and booleans', 'json', '[{"id":2,"age":31,"sites___2":true,"sex":2,"weight":null}]'],
    ['JSON in several rows', 'json', '[{"id":"2","age":"31","sex":"1"},{"id":"2","sites___2":1,"sex":"2"}]'],
    [
      'XML with CDATA',
      'xml',
      '<?xml version="1.0"?><records><item><id><![CDATA[2]]></id><age><![CDATA[31]]></age><sites___2>1</sites___2><sex>2</sex></item></records>',
    ],
    [
      'XML with blanks and empty elements',
      'xml',
      '<records>\n <item>\n <id>2</id> <age>31</age>\n<weight/><born></born><sites___2>1</sites___2><sex>2</sex></item>\n</records>\n',
    ],
  ] as const) {
    it(`may be ${what}`, async () => {
      expect((await post(sandbox, { ...record, format, data, returnFormat: 'csv' })).text).to.equal('1');
      expect(await stored('2', 'age,sites,sex,born,weight')).to.deep.equal([
        {
          age: '31',
          sites___1: '0',
          sites___2: '1',
          sites____99: '0',
          sex: '2',
          born: '1996-02-29',
          weight: '',
        },
      ]);
    });
  }

  for (const [delimiter, data] of [
    [';', 'id;age\n2;31\n'],
    ['tab', 'id\tage\n2\t31\n'],
    ['|', 'id|age\n2|31\n'],
  ] as const) {
    it(`may be CSV separated by ${delimiter}`, async () => {
      await textOf(sandbox, { ...record, data, csvDelimiter: delimiter });
      expect(await stored('2', 'age')).to.deep.equal([{ age: '31' }]);
    });
  }

  it('may contain characters that XML escapes', async () => {
    const data =
      '<records><item><id>&lt;&amp;&gt;&quot;&apos;&#233;&#x1F600;&nbsp;&#x110000;<![CDATA[<&]]></id></item><item><id>b]</id></item></records>';
    await textOf(sandbox, { ...record, format: 'xml', data });

    expect(sandbox.project.records.ids).to.include('<&>"\'é😀&nbsp;&#x110000;<&').and.to.include('b]');
  });

  it('counts as no records if it is an empty list, a single object or only a header', async () => {
    expect(await jsonOf(sandbox, { ...record, data: '[]' })).to.deep.equal({ count: 0 });
    expect(await jsonOf(sandbox, { ...record, data: '{"id":"77"}' })).to.deep.equal({ count: 0 });
    expect(await textOf(sandbox, { ...record, data: 'id,age\n' })).to.equal('0');
    expect(await textOf(sandbox, { ...record, format: 'xml', data: '<records/>' })).to.include(
      '<count>0</count>',
    );
    expect(sandbox.project.records.ids).not.to.include('77');
  });

  for (const [what, format, data, text] of [
    ['JSON that ends too early', 'json', '[{"id":', MALFORMED_JSON],
    ['JSON rows that are not objects', 'json', '["2"]', MALFORMED_JSON],
    ['JSON rows that are null', 'json', '[null]', MALFORMED_JSON],
    ['JSON cells that are lists', 'json', '[{"id":"2","age":[1]}]', MALFORMED_JSON],
    ['CSV with an open quote', 'csv', 'id,age\n"2,31\n', MALFORMED],
    ['XML without records', 'xml', '<items><item><id>2</id></item></items>', MALFORMED],
    ['text that is not XML', 'xml', 'id,age\n2,31\n', MALFORMED],
    ['nothing', 'json', '', 'The value of the parameter "data" is not valid'],
    [
      'a row without an id',
      'json',
      '[{"id":" ","age":"1"}]',
      'A record name is missing: every row must have one.',
    ],
    ['rows without the id column', 'csv', 'age\n1\n', 'A record name is missing: every row must have one.'],
    [
      'a record name of 101 characters',
      'json',
      `[{"id":"${'x'.repeat(101)}"}]`,
      'A record name must not have more than 100 characters.',
    ],
  ] as const) {
    it(`must not be ${what}`, async () => {
      expect(
        await refusalOf(sandbox, { ...record, action: 'import', format, returnFormat: 'json', data }),
      ).to.equal(text);
    });
  }

  for (const [what, form] of [
    ['an unknown type', { type: 'wide' }],
    ['an unknown overwriteBehavior', { overwriteBehavior: 'merge' }],
    ['an unknown dateFormat', { dateFormat: 'DYM' }],
    ['an unknown returnContent', { returnContent: 'all' }],
    ['auto_ids without forceAutoNumber', { returnContent: 'auto_ids' }],
  ] as const) {
    it(`must not come with ${what}`, async () => {
      const [name] = Object.keys(form);
      expect(await refusalOf(sandbox, { ...record, data: '[{"id":"9"}]', ...form })).to.equal(
        `The value of the parameter "${name}" is not valid`,
      );
      expect(sandbox.project.records.ids).not.to.include('9');
    });
  }

  it('must have columns that are fields, not descriptive ones or checkbox base names; all others are listed', async () => {
    expect(
      await refusalOf(sandbox, {
        ...record,
        data: '[{"id":"2","foo":"1"},{"id":"2","intro":"x","sites":"1"}]',
      }),
    ).to.equal('The following fields were not found in the project as real data fields: foo, intro, sites');
  });

  it('may have the columns of surveys, which change nothing', async () => {
    const data = 'id,redcap_survey_identifier,base_timestamp,age\n2,someone,2026-01-01 10:00:00,31\n';

    expect(await textOf(sandbox, { ...record, data })).to.equal('1');
    expect(
      await refusalOf(sandbox, {
        ...record,
        format: 'csv',
        returnFormat: 'json',
        data: 'id,other_timestamp\n2,x\n',
      }),
    ).to.equal('The following fields were not found in the project as real data fields: other_timestamp');
  });
});
