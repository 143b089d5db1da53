import { expect } from 'chai';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { longitudinalStudy, randomizedStudy } from '../../support/studies.js';
import { jsonOf, post, refusalOf, textOf } from './wire.js';

const randomize = { content: 'record', action: 'randomize', record: '1', randomization_id: '1' };

describe('Randomizing a record in the REDCap sandbox', () => {
  for (const [type, choicesOrCalculations] of [
    ['text', ''],
    ['notes', ''],
    ['checkbox', '1, A | 2, B'],
    ['yesno', ''],
    ['radio', ''],
  ] as const) {
    it(`is refused for a field of type ${type} with the choices "${choicesOrCalculations}"`, async () => {
      const study = randomizedStudy();
      const fields = study.fields.map((field) =>
        field.name === 'sex' ? { ...field, type, choicesOrCalculations } : field,
      );
      const sandbox = await startTestSandbox({ ...study, fields, rows: [{ id: '1' }] });

      const refusal = await refusalOf(sandbox, randomize).finally(() => sandbox.close());

      expect(refusal).to.equal('The value of the parameter "randomization_id" is not valid');
    });
  }

  it('is refused in a project without randomization', async () => {
    const study = randomizedStudy();
    const project = { ...study.project, settings: { randomization_enabled: 0 } };
    const sandbox = await startTestSandbox({ ...study, project, rows: [{ id: '1' }] });

    const refusal = await refusalOf(sandbox, randomize).finally(() => sandbox.close());

    expect(refusal).to.match(/randomization module is not enabled/);
  });

  it('saves the form, and recalculates what depends on the assignment', async () => {
    const study = randomizedStudy();
    const fields = study.fields.map((field) =>
      field.name === 'twice' ? { ...field, choicesOrCalculations: '[sex] * 10' } : field,
    );
    const sandbox = await startTestSandbox({ ...study, fields, rows: [{ id: '1' }] });
    await post(sandbox, randomize);

    const form = { content: 'record', fields: 'sex,twice,base_complete', exportBlankForGrayFormStatus: '1' };
    const saved = await textOf(sandbox, form).finally(() => sandbox.close());

    expect(saved).to.match(/^(?:1,10|2,20),0$/m);
  });

  it('is stored at an event that has the form', async () => {
    const study = longitudinalStudy();
    const fields = study.fields.map((field) =>
      field.name === 'pulse'
        ? { ...field, type: 'radio' as const, choicesOrCalculations: '1, A', annotation: '@RANDOMIZE' }
        : field,
    );
    const mappings = study.mappings.filter(
      ({ event, instrument }) => instrument !== 'visit' || event === 'end_arm_1',
    );
    const record = { id: '1', redcap_event_name: 'start_arm_1', age: '40' };
    const { project } = study;
    const sandbox = await startTestSandbox({
      ...{ ...study, fields, mappings, rows: [record] },
      project: { ...project, settings: { ...project.settings, randomization_enabled: 1 } },
    });
    await post(sandbox, randomize);

    const stored = { content: 'record', events: 'end_arm_1', fields: 'pulse' };
    const rows = await jsonOf(sandbox, stored).finally(() => sandbox.close());

    expect(rows).to.deep.equal([{ pulse: '1' }]);
  });
});
