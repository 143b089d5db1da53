import { expect } from 'chai';
import { say } from '../../../../src/domain/errors/sentences.js';
import {
  UpstreamRefusedError,
  UpstreamUnavailableError,
} from '../../../../src/domain/errors/upstream-errors.js';
import type { ImportRequest } from '../../../../src/services/record-writer.js';
import { RecordWriter } from '../../../../src/services/record-writer.js';
import { printed } from '../../../support/printed.js';
import { rejection } from '../../../support/rejection.js';
import { id, ImportProject, write, type Row } from '../../../support/import-project.js';

describe('The rules for rows', () => {
  const record_id = id(1);

  const VALID: Record<string, [Row, Partial<ImportRequest>?]> = {
    'numbers, true and null': [{ record_id, age: 42, sites___1: true, sites___2: false, note: null }],
    'a choice by its code': [{ record_id, sex: '2' }],
    'the limits of a field': [{ record_id, age: '18' }],
    'a form status': [{ record_id, visit_complete: '2' }],
    'the structural columns': [
      {
        record_id,
        redcap_event_name: 'baseline_arm_1',
        redcap_repeat_instrument: 'visit',
        redcap_repeat_instance: 3,
        redcap_data_access_group: 'north',
      },
    ],
    'the next free instance': [
      { record_id, redcap_repeat_instrument: 'visit', redcap_repeat_instance: 'new' },
    ],
    'blank structural columns': [{ record_id, redcap_event_name: '', redcap_repeat_instance: '' }],
    'a date, as REDCap stores it': [{ record_id, seen: '2026-02-28' }],
    'a number out of range': [{ record_id, age: 17 }],
    'a surrogate pair, and text that resembles half of one': [{ record_id, note: '😀 C:\\udo' }],
    'any record id with automatic numbering': [{ record_id: '1' }, { forceAutoNumber: true }],
  };
  for (const [name, [row, request]] of Object.entries(VALID)) {
    it(`accept ${name}`, async () => {
      const project = Object.assign(new ImportProject(), {
        repeatingInstruments: 'redcap_repeat_instrument' in row ? ['visit'] : [],
        groups: ['north'],
      });

      await write(new RecordWriter(project), JSON.stringify({ records: [row] }), request);

      expect(project.rows.map(sentAs)).to.deep.equal([sentAs(row)]);
    });
  }

  const INVALID: Record<string, [Row, string, Partial<ImportRequest>?]> = {
    'a record id that is too short': [{ record_id: 'SECRET' }, 'record_id'],
    'a record id with a trailing blank': [{ record_id: `${record_id} ` }, 'record_id'],
    'no record id': [{ age: '42' }, 'record_id'],
    'an empty record id': [{ record_id: '' }, 'record_id'],
    'an unknown field': [{ record_id, weight: 'SECRET' }, 'weight'],
    'a checkbox field without its choice': [{ record_id, sites: 'SECRET' }, 'sites'],
    'text for a number': [{ record_id, age: 'SECRET' }, 'age'],
    'a number out of range, if limits refuse': [{ record_id, age: 17 }, 'age', { limits: 'refuse' }],
    'a date in no order': [{ record_id, seen: 'SECRET' }, 'seen', { dateFormat: 'DMY' }],
    'a number that JSON cannot hold': [{ record_id, note: 2 ** 60 }, 'note'],
    'an unknown choice': [{ record_id, sex: 'SECRET' }, 'sex'],
    'a checkbox that is neither 0 nor 1': [{ record_id, sites___1: 'SECRET' }, 'sites___1'],
    'a date that does not exist': [{ record_id, seen: '2026-02-30' }, 'seen'],
    'an invalid event name': [{ record_id, redcap_event_name: 'SECRET' }, 'redcap_event_name'],
    'an unknown instrument': [{ record_id, redcap_repeat_instrument: 'SECRET' }, 'redcap_repeat_instrument'],
    'an instance of 0': [{ record_id, redcap_repeat_instance: 0 }, 'redcap_repeat_instance'],
    'a form status of 3': [{ record_id, visit_complete: '3' }, 'visit_complete'],
    'an unpaired surrogate': [{ record_id, note: 'SECRET \ud83d' }, 'note'],
    'a missing data code that the project does not have': [{ record_id, age: 'UNK' }, 'age'],
    'an invalid name, giving its position': [{ record_id, 'SECRET NAME': '1' }, 'column 2'],
  };
  for (const [name, [row, field, request]] of Object.entries(INVALID)) {
    it(`IN-07: refuse ${name} by field and rule, without the value`, async () => {
      const project = new ImportProject();

      const error = await rejection(
        write(new RecordWriter(project), JSON.stringify({ records: [row] }), request),
      );

      expect(error).to.include({ code: 'invalid_records', status: 422 });
      const problems = error['errors'] as { record: string; field: string; message: string }[];
      expect(problems.map((problem) => problem.field)).to.deep.equal([field]);
      expect(printed(error)).to.not.match(/SECRET|1152921504606846976/);
      expect(project.calls).to.deep.equal([]);
    });
  }

  for (const [type, column] of [
    ['flat', 'record_id'],
    ['eav', 'record'],
  ] as const)
    it(`say of a record id with more digits than a number keeps that it must be text (${type})`, async () => {
      const body = `[{"${column}":12345678901234567890,"field_name":"age","value":"42"}]`;
      const error = await rejection(
        write(
          new RecordWriter(new ImportProject()),
          body.replace(type === 'flat' ? /,"field.*"42"/ : /$/, ''),
          {
            type,
          },
        ),
      );

      expect(error['errors']).to.deep.equal([{ field: column, ...say('inexact_number'), row: 1, line: 1 }]);
    });

  it('say where a CSV has columns without a name', async () => {
    const refusal = (header: string, row: string): Promise<Record<string, unknown>> =>
      rejection(write(new RecordWriter(new ImportProject()), `${header}\n${row}\n`, { format: 'csv' }));

    expect((await refusal('record_id;;age', `${record_id};;42`))['errors']).to.deep.include({
      record: record_id,
      field: 'column 2',
      ...say('no_name'),
      row: 1,
      line: 2,
    });
    expect((await refusal('record_id;;;age', `${record_id};;;42`))['message']).to.equal(
      'The header of the body (line 1) has no name in the columns 2 and 3.',
    );
  });

  for (const [type, header, row, sent] of [
    ['flat', 'record_id,age', `${record_id},42`, { record_id, age: '42' }],
    ['eav', 'record,field_name,value', `${record_id},age,42`, { record: record_id, field_name: 'age', value: '42' }], // prettier-ignore
  ] as const) {
    it(`omit the empty columns without a name after the last of a CSV (${type})`, async () => {
      const project = new ImportProject();

      // Excel also shortens rows.
      await write(new RecordWriter(project), `${header},,\n${row},,\n${row},\n${row}\n`, {
        format: 'csv',
        type,
      });

      expect(project.rows).to.deep.equal([sent, sent, sent]);
    });
  }

  it('refuse a value in a column without a name, by its line and column', async () => {
    const project = new ImportProject();
    const body = `record_id,age,,\n${record_id},42,,\n${record_id},42,,SECRET\n`;

    const error = await rejection(write(new RecordWriter(project), body, { format: 'csv' }));

    expect(error).to.include({
      status: 400,
      message:
        'Record number 2 of the body (line 3) has a value in column 4, to which the header gives no name.',
    });
    expect(project.calls).to.deep.equal([]);
  });

  it('refuse a row with more cells than the header of a CSV, even if they are empty', async () => {
    const body = `record_id,age,\n${record_id},42,,\n`;

    const error = await rejection(write(new RecordWriter(new ImportProject()), body, { format: 'csv' }));

    expect(error['message']).to.equal(
      'Record number 1 of the body (line 2) has another number of cells (4) than the header (3).',
    );
  });

  it('name a table with its records in columns once, instead of every column that it seems to have', async () => {
    const tables = [
      [`record_id,${id(1)},${id(2)}`, 'age,40,41', 'sex,1,2'],
      ['Field,1,2', 'record_id,1,2', 'age,40,41'],
      ['Variable / Field Name,Record,Record', 'record_id,1,2', 'age,40,41'],
    ];

    for (const lines of tables) {
      const body = `${lines.join('\n')}\n`;
      const error = await rejection(write(new RecordWriter(new ImportProject()), body, { format: 'csv' }));

      expect(error.message).to.match(/has its records in columns, as the other template of REDCap/);
      expect(error['errors'] ?? []).to.have.length.below(2);
    }
  });

  it('does not send calculated fields', async () => {
    const project = new ImportProject();

    await write(new RecordWriter(project), JSON.stringify({ records: [{ record_id, bmi: 'anything' }] }));

    expect(project.rows).to.deep.equal([{ record_id }]);
  });

  describe('in a project with missing data codes', () => {
    let project: ImportProject;

    beforeEach(() => {
      project = new ImportProject();
      project.missingDataCodes = 'UNK, Unknown | -999, Not asked';
    });

    it('accept them in every field, and as a column of each checkbox field', async () => {
      const row = { record_id, age: 'UNK', seen: '-999', sex: 'UNK', sites___1: '0', sites____999: '1' };

      await write(new RecordWriter(project), JSON.stringify({ records: [row] }));

      expect(project.rows).to.deep.equal([row]);
    });

    it('refuse unknown codes, and codes as a checkbox value or a form status', async () => {
      const row = { record_id, age: 'NONE', sites___1: 'UNK', visit_complete: 'UNK', sites___unk: '2' };

      const error = await rejection(
        write(new RecordWriter(project), JSON.stringify({ records: [{ record_id, age: 'UNK' }, row] })),
      );

      expect((error['errors'] as { field: string }[]).map(({ field }) => field)).to.deep.equal([
        'age',
        'sites___1',
        'visit_complete',
        'sites___unk',
      ]);
    });

    it('report problems without the codes if the token may not read them', async () => {
      project.project.getInfo = () => Promise.reject(new UpstreamRefusedError());
      const body = JSON.stringify({ records: [{ record_id, age: 'UNK' }] });

      expect(await rejection(write(new RecordWriter(project), body))).to.include({ code: 'invalid_records' });
    });

    it('refuse nothing while the codes are unknown because of an outage', async () => {
      project.project.getInfo = () => Promise.reject(new UpstreamUnavailableError('connect'));
      const body = JSON.stringify({ records: [{ record_id, age: 'UNK' }] });

      expect(await rejection(write(new RecordWriter(project), body))).to.include({
        code: 'upstream_unavailable',
      });
    });
  });

  it('IN-07: identify a row by its number, not by a refused record id', async () => {
    const records = [{ record_id }, { record_id: 'SECRET', age: 'x', sex: '3' }];

    const error = await rejection(write(new RecordWriter(new ImportProject()), JSON.stringify({ records })));

    expect(error['errors']).to.have.lengthOf(3);
    for (const problem of error['errors'] as object[]) {
      expect(problem).to.include({ row: 2, line: 1 }).and.not.have.property('record');
    }
  });

  it('take the minimum length of record ids from a setting', async () => {
    const project = new ImportProject();

    await write(new RecordWriter(project, { recordIdMinLength: 1 }), '{"records":[{"record_id":"1"}]}');

    expect(project.rows).to.deep.equal([{ record_id: '1' }]);
  });

  it('report every invalid cell and each unknown field once, up to a hundred', async () => {
    const project = new ImportProject();
    const records = Array.from({ length: 120 }, (_, at) => ({ record_id: id(at), weight: '1', age: 'x' }));

    const error = await rejection(write(new RecordWriter(project), JSON.stringify({ records })));

    const fields = (error['errors'] as { field: string }[]).map(({ field }) => field);
    expect(fields).to.have.lengthOf(100);
    expect(fields.filter((field) => field === 'weight')).to.have.lengthOf(1);
  });

  describe('in EAV', () => {
    const base = { record: record_id, field_name: 'age', value: '42' };

    it('accept one value per row, and omit those of calculated fields', async () => {
      const project = Object.assign(new ImportProject(), { repeatingInstruments: ['visit'] });
      const place = { redcap_repeat_instrument: 'visit', redcap_repeat_instance: 2 };
      const records = [
        { ...base, ...place },
        { ...base, field_name: 'bmi' },
      ];

      await write(new RecordWriter(project), JSON.stringify({ records }), { type: 'eav' });

      expect(project.rows).to.deep.equal([{ ...base, ...place, redcap_repeat_instance: '2' }]);
    });

    const INVALID_EAV: Record<string, [Row, string]> = {
      'an unknown field': [{ ...base, field_name: 'weight' }, 'field_name'],
      'a structural column as a field': [{ ...base, field_name: 'redcap_event_name' }, 'field_name'],
      'no field': [{ record: record_id, value: '1' }, 'field_name'],
      'no value': [{ record: record_id, field_name: 'age' }, 'value'],
      'no record': [{ field_name: 'age', value: '42' }, 'record'],
      'an invalid value': [{ ...base, value: 'SECRET' }, 'age'],
      'a new instance': [{ ...base, redcap_repeat_instance: 'new' }, 'redcap_repeat_instance'],
      'a column of flat rows': [{ ...base, sex: '1' }, 'sex'],
      'another record id as a value': [{ ...base, field_name: 'record_id', value: id(2) }, 'record_id'],
    };
    for (const [name, [row, field]] of Object.entries(INVALID_EAV)) {
      it(`refuse ${name}`, async () => {
        const body = JSON.stringify({ records: [row] });

        const error = await rejection(write(new RecordWriter(new ImportProject()), body, { type: 'eav' }));

        expect((error['errors'] as { field: string }[]).map((problem) => problem.field)).to.deep.equal([
          field,
        ]);
      });
    }
  });
});

function sentAs(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? (value ? '1' : '0') : String(value ?? ''),
    ]),
  );
}
