import { expect } from 'chai';
import type { ProjectInfo, RecordRow } from '../../../../src/gateways/redcap/crf-client.js';
import { UpstreamForbiddenError } from '../../../../src/domain/errors/upstream-errors.js';
import { RecordWriter } from '../../../../src/services/record-writer.js';
import { rejection } from '../../../support/rejection.js';
import { BODY_OF, FORMATS, id, ImportProject, write } from '../../../support/import-project.js';

/** A project with records, which counts how often they are listed and its settings are asked for. */
class NumberedProject extends ImportProject {
  readonly asked: string[] = [];
  isNumbering = false;
  existing: readonly string[] = [];
  nextId = '';

  override readonly project = {
    getInfo: (): Promise<ProjectInfo> => {
      // The client keeps the answer.
      if (!this.asked.includes('settings')) this.asked.push('settings');
      return Promise.resolve({
        missingDataCodes: 'UNK, Unknown',
        recordAutonumberingEnabled: this.isNumbering,
      } as ProjectInfo);
    },
  };

  async *streamRecords(): AsyncGenerator<RecordRow, void, undefined> {
    this.asked.push('records');
    for (const record_id of this.existing) yield await Promise.resolve({ record_id });
  }

  writer(): RecordWriter {
    const source = Object.assign(this, { records: { nextId: () => Promise.resolve(this.nextId) } });
    return new RecordWriter(this, {}, undefined, source);
  }
}

describe('Short record ids', () => {
  const rows = ['1', '2', '3'].map((record_id) => ({ record_id, age: '40' }));

  for (const format of FORMATS) {
    it(`IN-11: are accepted where the project numbers its records (${format})`, async () => {
      const project = Object.assign(new NumberedProject(), { isNumbering: true });

      await write(project.writer(), BODY_OF[format](rows), { format });

      expect(project.rows).to.deep.equal(rows);
      expect(project.asked).to.deep.equal(['settings']);
    });

    it(`IN-11: are accepted for records that exist (${format})`, async () => {
      const project = Object.assign(new NumberedProject(), { existing: ['1', '2', '3'] });
      const mixed = [{ record_id: id(1), age: '40' }, { record_id: id(2), age: 'UNK' }, ...rows];

      await write(project.writer(), BODY_OF[format](mixed), { format });

      expect(project.rows).to.deep.equal(mixed);
      expect(project.asked).to.deep.equal(['settings', 'records']);
    });

    it(`IN-11: are refused for new records, by the name of the setting (${format})`, async () => {
      const project = Object.assign(new NumberedProject(), { existing: ['1', '3'] });

      const error = await rejection(write(project.writer(), BODY_OF[format](rows), { format }));

      const problems = error['errors'] as { row: number; field: string; message: string }[];
      expect(problems.map(({ row, field }) => [row, field])).to.deep.equal([[2, 'record_id']]);
      expect(problems[0]?.message).to.equal(
        'is the id of no record, and those of new records have at least 20 characters: set RECORD_ID_MIN_LENGTH=1 to admit it',
      );
      expect(project.calls).to.deep.equal([]);
    });
  }

  it('IN-11: are accepted where it is the one that REDCap would give next', async () => {
    const project = Object.assign(new NumberedProject(), { existing: ['1', '3'], nextId: '4' });
    const next = [{ record_id: '4', age: '40' }];

    await write(project.writer(), BODY_OF.json(next));
    await rejection(write(project.writer(), BODY_OF.json([{ record_id: '5', age: '40' }])));

    expect(project.rows).to.deep.equal(next);
  });

  it('are reported where REDCap numbers the records, and a new one is no number', async () => {
    const project = Object.assign(new NumberedProject(), { isNumbering: true, existing: ['1', '2', 'old'] });
    const given = ['A', '1.0', '1e0', 'old', '3', '7-1'].map((record_id) => ({ record_id, age: '40' }));

    const { warnings } = await write(project.writer(), BODY_OF.json(given));

    expect(warnings?.first.map(({ record, rule }) => [record, rule])).to.deep.equal(
      ['A', '1.0', '1e0'].map((record) => [record, 'unnumbered_id']),
    );
  });

  it('may be left out where REDCap numbers the records of the import, which is said otherwise', async () => {
    const project = Object.assign(new NumberedProject(), { isNumbering: true });
    const unnamed = [{ age: '40' }, { record_id: '', age: '41' }];

    const error = await rejection(write(project.writer(), BODY_OF.json(unnamed)));
    await write(project.writer(), BODY_OF.json(unnamed), { forceAutoNumber: true });

    const [problem] = error['errors'] as { message: string }[];
    expect(problem?.message).to.equal('must not be empty; REDCap numbers new records with force auto number');
    expect(project.rows).to.deep.equal([
      { record_id: 'row 1', age: '40' },
      { record_id: 'row 2', age: '41' },
    ]);
  });

  it('IN-11: are accepted in EAV for records that exist', async () => {
    const project = Object.assign(new NumberedProject(), { existing: ['1'] });
    const cells = [{ record: '1', field_name: 'age', value: '40' }];

    await write(project.writer(), BODY_OF.json(cells), { type: 'eav' });

    expect(project.rows).to.deep.equal(cells);
  });

  it('IN-11: are refused as new if the token may not list the records', async () => {
    const project = new NumberedProject();
    project.streamRecords = () => {
      throw new UpstreamForbiddenError('API Export');
    };

    const error = await rejection(write(project.writer(), BODY_OF.json([{ record_id: '1' }])));

    expect(error).to.include({ code: 'invalid_records' });
  });

  it('IN-11: ask for no list because of an id that no record can have', async () => {
    const project = new NumberedProject();

    await rejection(write(project.writer(), BODY_OF.json([{ record_id: ' 1' }])));

    expect(project.asked).to.deep.equal(['settings']);
  });

  it('IN-11: ask for no list where ids are long', async () => {
    const project = new NumberedProject();

    await write(project.writer(), BODY_OF.json([{ record_id: id(1), age: '40' }]));

    expect(project.asked).to.deep.equal(['settings']);
  });

  for (const bad of [' 1', '1\t', 'a\u0007b', '\ud800']) {
    it(`IN-11: are refused with ${JSON.stringify(bad)} even where the project numbers its records`, async () => {
      const project = Object.assign(new NumberedProject(), { isNumbering: true });

      expect(await rejection(write(project.writer(), BODY_OF.json([{ record_id: bad }])))).to.include({
        code: 'invalid_records',
      });
    });
  }
});
