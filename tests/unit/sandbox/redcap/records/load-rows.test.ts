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

describe('The initial rows of a sandbox', () => {
  for (const [what, study] of [
    ['classic', classicStudy()],
    ['longitudinal', longitudinalStudy()],
    ['divided into arms', armsStudy()],
  ] as const) {
    it(`are kept in a study that is ${what}, including files, dated to the creation of the project`, () => {
      const project = new SandboxProject(study, () => new Date());
      loadRows(project, study.rows);

      expect(project.records.ids).to.have.members([...new Set(study.rows.map((row) => row.id ?? ''))]);
      for (const { changedAt } of project.records.inOrder())
        expect(changedAt).to.equal('2026-01-01 00:00:00');
      const files = project.records.get('1')?.row({ event: 'start_arm_1', instrument: '', instance: 0 });
      expect(files?.values.get('consent')).to.equal(what === 'divided into arms' ? 'form.pdf' : undefined);
    });
  }

  it('are kept even if a current rule refuses them, with a note that shows no value', () => {
    const project = new SandboxProject(classicStudy(), () => new Date());
    const notes = loadRows(project, [
      { id: '1', age: '5' },
      { id: '2', age: 'Secret', sex: '9' },
      { id: '3', age: 'Secret' },
    ]);

    expect(notes).to.deep.equal([
      '2 values of age that do not follow the data dictionary: kept as they are (first in row 2)',
      '1 values of sex that do not follow the data dictionary: kept as they are (first in row 2)',
    ]);
    const row = project.records.get('2')?.row({ event: '', instrument: '', instance: 0 });
    expect(row?.values.get('age')).to.equal('Secret');
  });

  it('are dropped if they have no place in the project, with a note', () => {
    const project = new SandboxProject(longitudinalStudy(), () => new Date());
    const event = { redcap_event_name: 'start_arm_1' };
    const notes = loadRows(project, [
      { id: '1', ...event, age: '5', secret: 'x' },
      { id: '2', redcap_event_name: 'gone_arm_1' },
      { id: '3', ...event, redcap_repeat_instrument: 'visit', redcap_repeat_instance: '1' },
      { id: '4', ...event, redcap_data_access_group: 'gone', visit_timestamp: '2026-01-01 10:00:00' },
    ]);

    expect(project.records.ids).to.have.members(['1', '4']);
    expect(project.records.get('4')?.group).to.equal('');
    expect(notes).to.deep.equal([
      'column "visit_timestamp" is the time stamp of an instrument that is not a survey: left out',
      'column "secret" is not a field of the data dictionary: left out',
      '1 rows of an event that the project does not have: left out (first in row 2)',
      '1 rows whose redcap_repeat_instrument has no place in the project: left out (first in row 3)',
      '1 records of a data access group that the project does not have: in no group (first in row 4)',
    ]);
  });

  it('cause at most a hundred notes', () => {
    const project = new SandboxProject(classicStudy(), () => new Date());
    const columns = Array.from({ length: 300 }, (_, index) => [`secret_${index}`, 'x']);

    const notes = loadRows(project, [{ id: '1', ...Object.fromEntries(columns) }]);

    expect(notes).to.have.length(101);
    expect(notes.at(-1)).to.equal('and 200 other kinds');
  });

  it('are refused without a record id', async () => {
    expect(await refusal({ ...classicStudy(), rows: [{ id: '1' }, { age: '5' }] })).to.deep.equal([
      { field: 'records row 2', message: 'must have a record id of 1 to 100 characters' },
    ]);
  });

  it('may be an export of a longitudinal project with a form that is empty everywhere', async () => {
    const { study } = await loadStudy({
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

describe('The formulas of a study', () => {
  it('leave a field blank if the sandbox cannot read them', () => {
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
