import { expect } from 'chai';
import { loadStudy } from '../../../../../src/sandbox/demo-study/load-study.js';
import { SandboxProject } from '../../../../../src/sandbox/redcap/project.js';
import { loadRows } from '../../../../../src/sandbox/redcap/records/load-rows.js';
import { startRedcapSandbox } from '../../../../../src/sandbox/redcap/redcap-sandbox.js';
import type { Study } from '../../../../../src/sandbox/redcap/study.js';
import { rejection } from '../../../../support/rejection.js';
import { armsStudy, classicStudy, longitudinalStudy } from '../../../../support/studies.js';

const refusal = async (study: Study): Promise<unknown> =>
  (await rejection(startRedcapSandbox({ study }))).errors;

describe('The rows of a study that a sandbox starts with', () => {
  for (const [what, study] of [
    ['classic', classicStudy()],
    ['longitudinal', longitudinalStudy()],
    ['of several arms', armsStudy()],
  ] as const) {
    it(`are kept when it is ${what}, files too, and were changed when the project was made`, () => {
      const project = new SandboxProject(study, () => new Date());
      loadRows(project, study.rows);

      expect(project.records.ids).to.have.members([...new Set(study.rows.map((row) => row.id ?? ''))]);
      for (const { changedAt } of project.records.inOrder())
        expect(changedAt).to.equal('2026-01-01 00:00:00');
      const files = project.records.get('1')?.row({ event: 'start_arm_1', instrument: '', instance: 0 });
      expect(files?.values.get('consent')).to.equal(what === 'of several arms' ? 'form.pdf' : undefined);
    });
  }

  it('are refused by row and column, never with a value, and a hundred at most', async () => {
    const rows = [
      { id: '1', age: '5' },
      { id: '2', age: 'Secret', sex: '9' },
    ];

    expect(await refusal({ ...classicStudy(), rows })).to.deep.equal([
      { field: 'records row 2, age', message: 'does not fit the data dictionary' },
      { field: 'records row 2, sex', message: 'does not fit the data dictionary' },
    ]);
    const many = Array.from({ length: 300 }, (_, index) => ({ id: String(index), age: 'x' }));
    expect(await refusal({ ...classicStudy(), rows: many })).to.have.length(100);
  });

  for (const [what, row] of [
    ['a column that is no field', { id: '1', secret: 'x' }],
    ['no record id', { age: '5' }],
    ['an event that does not exist', { id: '1', redcap_event_name: 'secret_arm_1' }],
  ] as const) {
    it(`are refused as a whole for ${what}`, async () => {
      const errors = await refusal({ ...longitudinalStudy(), rows: [row] });

      expect(errors).to.deep.equal([
        {
          field: 'records',
          message: 'must have the columns and events of the data dictionary, and a record id in every row',
        },
      ]);
    });
  }

  it('may be an export of a longitudinal project with a form that nobody has filled in', async () => {
    const study = loadStudy({
      dictionaryCsv: 'field_name,form_name,field_type\nid,base,text\npulse,visit,text\n',
      recordsCsv:
        'id,redcap_event_name,base_complete,pulse,visit_complete\n1,a_arm_1,2,,0\n1,b_arm_1,,60,2\n',
    });

    const sandbox = await startRedcapSandbox({ study });
    await sandbox.close();
    expect(sandbox.project.isMapped('a_arm_1', 'visit')).to.equal(true);
    expect(sandbox.project.isMapped('b_arm_1', 'base')).to.equal(false);
  });
});

describe('The formulas of a study that a sandbox starts with', () => {
  it('may be such that the sandbox cannot read them: the field stays blank', () => {
    const study = classicStudy();
    const fields = study.fields.map((field) =>
      field.name === 'twice' ? { ...field, choicesOrCalculations: 'somefunction([age])' } : field,
    );
    const project = new SandboxProject({ ...study, fields }, () => new Date());
    loadRows(project, study.rows);

    const row = project.records.get('2')?.row({ event: '', instrument: '', instance: 0 });
    expect(row?.values.get('age')).to.equal('30');
    expect(row?.values.get('twice')).to.equal(undefined);
  });
});
