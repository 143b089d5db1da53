import { expect } from 'chai';
import type { Field } from '../../../src/domain/dictionary/field.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy, longitudinalStudy } from '../../support/studies.js';
import { post, textOf, type TestSandbox } from './wire.js';

describe('The filterLogic of a record export', () => {
  let classic: TestSandbox;
  let longitudinal: TestSandbox;
  let arms: TestSandbox;

  before(async () => {
    classic = await startTestSandbox(classicStudy());
    longitudinal = await startTestSandbox(longitudinalStudy());
    arms = await startTestSandbox(armsStudy());
  });
  after(() => Promise.all([classic.close(), longitudinal.close(), arms.close()]));

  const rows = async (sandbox: TestSandbox, fields: string, filterLogic: string): Promise<string[]> => {
    const text = await textOf(sandbox, { content: 'record', fields, filterLogic });
    return text.trim() === '' ? [] : text.trim().split('\n').slice(1);
  };

  for (const [filterLogic, ids] of [
    ['[age] > 20', ['2', 'A-1']],
    ["[sites(1)] = '1'", ['10']],
    ["[sites(-99)] = 1 or [sex] = ''", ['2', 'A-1']],
    ['[sites(2)] = 0', ['2', '10', 'A-1']],
    ["[base_complete] = '2'", ['10']],
    ["[base_complete] = '0'", ['2', 'A-1']],
    ["[ID] = 'A-1'", ['A-1']],
    ["[record-name] = '2'", ['2']],
    ["[born] < '2000-01-01'", ['2']],
    ["[born] <> '' and year([born]) = 1996", ['2']],
    ['[twice] = 60', ['2']],
    ['[weight] <> 0', ['2', '10', 'A-1']],
    ['[age][7] = 30 or [record-name] = 10', ['2', '10']],
    ["[event-name] = '' and [arm-number] = 1", ['2', '10', 'A-1']],
    ["[first-event-name] <> ''", []],
    ['   ', ['2', '10', 'A-1']],
  ] as const) {
    it(`matches ${ids.length === 0 ? 'no record' : ids.join(', ')} with ${JSON.stringify(filterLogic)}`, async () => {
      expect(await rows(classic, 'id', filterLogic)).to.deep.equal(ids);
    });
  }

  for (const [filterLogic, found] of [
    ['[pulse] >= 60', ['A-1,start_arm_1,,', 'A-1,end_arm_1,,']],
    ['[pulse] > 60', ['A-1,end_arm_1,,']],
    ['[start_arm_1][pulse] = 60 and [event-name] = "end_arm_1"', ['A-1,end_arm_1,,']],
    ['[first-event-name][pulse] = 60 and [pulse] = 70', ['A-1,end_arm_1,,']],
    ['[last-event-name][pulse] = 70 and [pulse] = 60', ['A-1,start_arm_1,,']],
    ["[start_arm_1][sites(1)] = '1' and [pulse] = 70", ['A-1,end_arm_1,,']],
    ["[drug] = 'drug x'", ['A-1,start_arm_1,meds,1']],
    ["[drug] <> ''", ['A-1,start_arm_1,meds,1', 'A-1,start_arm_1,meds,2']],
    ["[drug][2] = 'drug y' and [age] = 40", ['A-1,start_arm_1,,']],
    ["[start_arm_1][drug][first-instance] = 'drug x' and [pulse] = 70", ['A-1,end_arm_1,,']],
    ["[drug][last-instance] = 'drug y' and [age] = 40", ['A-1,start_arm_1,,']],
    ["[drug][previous-instance] = 'drug x'", ['A-1,start_arm_1,meds,2']],
    ["[drug][next-instance] = 'drug y' and [current-instance] = 1", ['A-1,start_arm_1,meds,1']],
    ["[drug][current-instance] = 'drug y'", ['A-1,start_arm_1,meds,2']],
    ["[current-instance] = ''", ['A-1,start_arm_1,,', 'A-1,end_arm_1,,']],
    ["[end_arm_1][age] = '' and [end_arm_1][sites(1)] = 0 and [age] = 40", ['A-1,start_arm_1,,']],
    ["[end_arm_1][base_complete] <> ''", []],
  ] as const) {
    it(`is evaluated for every row of a longitudinal project: ${filterLogic}`, async () => {
      const cells = (await rows(longitudinal, 'id,pulse,drug', filterLogic)).map((row) => row.split(','));
      expect(cells.map((row) => row.slice(0, 4).join(','))).to.deep.equal(found);
    });
  }

  for (const [filterLogic, found] of [
    ['[arm-number] = 2', ['2,start_arm_2,,']],
    ["[first-event-name] = 'start_arm_2'", ['2,start_arm_2,,']],
    ["[last-event-name] = 'visit_arm_1' and [name] <> ''", ['1,start_arm_1,,']],
    ['[weight] > 71', ['1,visit_arm_1,,2']],
    ['[visit_arm_1][weight][1] = 70 and [name] = "Ada"', ['1,start_arm_1,,']],
    ['[visit_arm_1][weight][last-instance] = 71.5 and [name] = "Ada"', ['1,start_arm_1,,']],
  ] as const) {
    it(`supports arms and repeating events: ${filterLogic}`, async () => {
      expect(await rows(arms, 'id', filterLogic)).to.deep.equal(found);
    });
  }

  it('reads a blank field whose name ends like that of a form status as blank', async () => {
    const { fields, ...study } = classicStudy();
    const therapy = { ...fields[1], name: 'therapy_complete', validationType: '' } as Field;
    const sandbox = await startTestSandbox({ ...study, fields: [...fields, therapy] });

    const blank = await rows(sandbox, 'id', "[therapy_complete] = '' and [base_complete] = 0").finally(() =>
      sandbox.close(),
    );

    expect(blank).to.deep.equal(['2', 'A-1']);
  });

  it('is refused with a reason if it is invalid, in the format of errors', async () => {
    const answer = (filterLogic: string) => post(classic, { content: 'record', format: 'csv', filterLogic });

    expect(await answer('[nobody] = 1')).to.deep.equal({
      status: 400,
      type: 'text/csv; charset=utf-8',
      text: 'ERROR: The logic in the parameter "filterLogic" is not valid: it names a field that does not exist',
    });
    expect(await answer(`${'('.repeat(40_000)}`)).to.include({ status: 400 });
    expect(await answer('x'.repeat(60_000))).to.include({ status: 400 });
  });
});
