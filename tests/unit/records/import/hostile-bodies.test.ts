import { expect } from 'chai';
import fc from 'fast-check';
import { RecordWriter } from '../../../../src/services/record-writer.js';
import { printed } from '../../../support/printed.js';
import { rejection } from '../../../support/rejection.js';
import { FORMATS, id, ImportProject, write } from '../../../support/import-project.js';

describe('RecordWriter with an invalid body', () => {
  let project: ImportProject;
  let writer: RecordWriter;

  beforeEach(() => {
    project = new ImportProject();
    writer = new RecordWriter(project);
  });

  afterEach(() => expect(project.calls).to.deep.equal([]));

  for (const depth of [33, 5_000, 200_000]) {
    const nested = '['.repeat(depth) + ']'.repeat(depth);
    const objects = '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
    const bodies = {
      'the body': ['json', nested],
      'a record': ['json', `{"records":[{"note":${nested}}]}`],
      'objects in a record': ['json', `{"records":[${objects}]}`],
      'an option': ['json', `{"dryRun":${nested},"records":[{"record_id":"${id(1)}"}]}`],
      'a line': ['ndjson', nested],
      'a value of a line': ['ndjson', `{"note":${objects}}`],
    } as const;
    for (const [place, [format, body]] of Object.entries(bodies)) {
      it(`IN-03: refuses ${depth} nested brackets in ${place}`, async () => {
        const error = await rejection(write(writer, body, { format }));

        expect(error).to.include({ status: 400 });
      });
    }
  }

  for (const [what, format, body] of [
    ['lists in lists of a record', 'json', `{"records":[{"note":${'['.repeat(4)}${']'.repeat(4)}}]}`],
    ['200,000 nested objects', 'ndjson', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
    [
      'misfits that are nested too deep',
      'json',
      `{"misfits":${'{"a":'.repeat(4)}1${'}'.repeat(4)},"data":[{"record_id":"${id(1)}"}]}`,
    ],
    ['a row that is a list', 'ndjson', '[1]'],
    ['a stray closing bracket', 'json', '{"records":[{"note":[1}]}]}'],
    ['40,001 properties', 'ndjson', `{"a":[${'{"b":1},'.repeat(40_000)}1]}`],
    ['10,001 columns', 'ndjson', JSON.stringify(Object.fromEntries(Array(10_001).fill(1).entries()))],
  ] as const) {
    it(`IN-03: refuses ${what} in typed values`, async () => {
      const error = await rejection(write(writer, body, { format, values: 'typed' }));

      expect(error).to.include({ status: 400, code: 'malformed_request' });
      expect(error.message).to.not.include('values=typed');
    });
  }

  it('names the misfits, and no row, if they are nested too deeply', async () => {
    const body = `{"data":[{"note":1}],\n"misfits":${'{"a":'.repeat(4)}`;

    const error = await rejection(write(writer, body, { format: 'json', values: 'typed' }));

    expect(error.message).to.equal(
      'The report of misfits of the body (line 2) is nested deeper than a typed row.',
    );
  });

  for (const value of ['{"__proto__":"a","code":"1"}', '[{"constructor":1,"code":"1"}]', '{"missing":{}}']) {
    it(`IN-04: refuses the typed value ${value}`, async () => {
      const body = `{"records":[{"record_id":"${id(1)}","sex":${value}}]}`;

      const error = await rejection(write(writer, body, { values: 'typed' }));

      expect(error).to.include({ code: 'invalid_records' });
      expect(error).to.have.nested.property('errors[0].field', 'sex');
    });
  }

  it('IN-03: refuses a record of more than 10,000 properties', async () => {
    const record = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`field_${at}`, '']));

    expect(await rejection(write(writer, JSON.stringify({ records: [record] })))).to.include({ status: 400 });
  });

  it('IN-03: refuses a record larger than a call', async () => {
    writer = new RecordWriter(project, { chunkBytes: 1000 });
    const record = JSON.stringify({ record_id: id(1), note: 'x'.repeat(2000) });
    const bodies = { json: `{"records":[${record}]}`, ndjson: record, csv: `record_id\n${'x'.repeat(2000)}` };

    for (const format of FORMATS) {
      expect(await rejection(write(writer, bodies[format], { format }))).to.include({ status: 400 });
    }
  });

  for (const name of ['__proto__']) {
    const bodies = {
      'next to the records': ['json', `{"${name}":true,"records":[]}`],
      'in a record': ['json', `{"records":[{"record_id":"${id(1)}","${name}":"1"}]}`],
      'in a record, escaped': [
        'json',
        `{"records":[{"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}":1}]}`,
      ],
      'below a record': ['json', `{"records":[{"note":{"${name}":1}}]}`],
      'in a line': ['ndjson', `{"${name}":"1"}`],
      'in a header': ['csv', `record_id,${name}\n${id(1)},1\n`],
    } as const;
    for (const [place, [format, body]] of Object.entries(bodies)) {
      it(`IN-04: refuses the key ${name} ${place}`, async () => {
        const error = await rejection(write(writer, body, { format }));

        expect(error).to.include({ code: 'malformed_request', status: 400 });
        expect(({} as Record<string, unknown>)['1']).to.equal(undefined);
      });
    }
  }

  for (const name of ['constructor', 'prototype', 'toString'])
    for (const [place, format, body] of [
      ['in a record', 'json', `{"records":[{"record_id":"${id(1)}","${name}":"1"}]}`],
      ['in a line', 'ndjson', `{"record_id":"${id(1)}","${name}":"1"}`],
      ['in a header', 'csv', `record_id,${name}\n${id(1)},1\n`],
    ] as const)
      it(`refuses ${name} ${place} as any other column that the project does not have`, async () => {
        const error = await rejection(write(writer, body, { format }));

        expect(error).to.include({ code: 'invalid_records' });
        expect(error)
          .to.have.nested.property('errors[0].message')
          .that.includes('not a field of the project');
      });

  it('IN-05: refuses an unknown property next to the records, naming it', async () => {
    // The options of an import stand in the address only.
    for (const body of [
      '{"dryRun":true,"records":[]}',
      `{"records":[{"record_id":"${id(1)}"}],"dryRun":1}`,
    ]) {
      const error = await rejection(write(writer, body));

      expect(error).to.include({ code: 'invalid_request' });
      expect(error['errors']).to.deep.equal([
        { field: 'dryRun', message: 'is not a property of an import: its options are in the address' },
      ]);
      expect(project.calls).to.deep.equal([]);
    }
  });

  const REFUSED = {
    'an empty object': '{}',
    'repeated records': `{"records":[{"record_id":"${id(1)}"}],"records":[{"record_id":"${id(2)}"}]}`,
    'records that are not a list': '{"records":{"record_id":"1"}}',
  };
  for (const [name, body] of Object.entries(REFUSED)) {
    it(`refuses ${name} as invalid`, async () => {
      expect(await rejection(write(writer, body))).to.include({ code: 'invalid_request', status: 400 });
    });
  }

  it('refuses auto_ids without forceAutoNumber', async () => {
    const error = await rejection(
      write(writer, `{"records":[{"record_id":"${id(1)}"}]}`, { returnContent: 'auto_ids' }),
    );

    expect(error).to.include({ code: 'invalid_request' });
  });

  const MALFORMED = {
    'an empty body': ['json', ''],
    'a record that is not an object': ['json', '{"records":[1]}'],
    'a trailing comma': ['json', `{"records":[{"record_id":"${id(1)}"},]}`],
    'text after the end': ['json', `{"records":[{"record_id":"${id(1)}"}]} x`],
    'an unreadable record': ['json', '{"records":[{"note":SECRET}]}'],
    'an unreadable line': ['ndjson', '{"note":"SECRET}'],
    'two records on a line': ['ndjson', '{"note":"SECRET"} {"note":"SECRET"}'],
    'a line that is not an object': ['ndjson', '"SECRET"'],
    'a duplicate name in the header': ['csv', 'record_id,age,age\nSECRET,1,2\n'],
    'a row with one cell too many': ['csv', 'record_id,age\nSECRET,1,2\n'],
    'a row with one cell too few': ['csv', 'record_id,age\nSECRET\n'],
    'an unclosed quote': ['csv', 'record_id,age\n"SECRET,1\n'],
    'a quote inside a cell': ['csv', 'record_id,age\n"SEC"RET,1\n'],
  } as const;
  for (const [name, [format, body]] of Object.entries(MALFORMED)) {
    it(`IN-07: refuses ${name} in ${format} without repeating it`, async () => {
      const error = await rejection(write(writer, body, { format }));

      expect(error).to.include({ code: 'malformed_request', status: 400 });
      expect(printed(error)).to.not.match(/SECRET/);
    });
  }

  for (const [what, text] of [
    ['a body', `{"records":[{"record_id":"${id(1)}","note":"é\\"}"}] }`],
    ['a bare list', `[{"record_id":"${id(1)}","note":"é\\"}"} , {"record_id":"${id(2)}"}]`],
  ]) {
    it(`refuses ${what} truncated at any byte`, async () => {
      const body = Buffer.from(text ?? '');
      for (let end = 0; end < body.length; end++) {
        const part = body.subarray(0, end);
        expect(await rejection(write(writer, part))).to.include({ status: 400 });
      }
    });
  }

  for (const body of ['[]', ' [ ] ', '[1]', '[{}}', '[{},]', '[{}],"dryRun":true', '[{}]}', '[[{}]]']) {
    it(`refuses the bare list ${body}`, async () => {
      expect(await rejection(write(writer, body))).to.include({ status: 400 });
    });
  }

  it('refuses any bytes with a documented error', async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom(...FORMATS), async (body, format) => {
        expect(await rejection(write(writer, Buffer.from(body), { format }))).to.have.property('code');
      }),
      { numRuns: 200 },
    );
  });
});
