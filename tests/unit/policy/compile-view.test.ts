import { expect } from 'chai';
import { DataDictionary } from '../../../src/domain/dictionary/data-dictionary.js';
import { BLANK_FIELD, type Field } from '../../../src/domain/dictionary/field.js';
import { ProjectStructure } from '../../../src/domain/dictionary/project-structure.js';
import { PolicyInvalidError } from '../../../src/domain/errors/operator-errors.js';
import { compilePolicy, viewWith } from '../../../src/policy/compile-view.js';
import { readPolicyFile, type Policy } from '../../../src/policy/policy-file.js';
import { countedChain } from '../../support/counted-chain.js';
import { acceptAll, readPolicyLock, writePolicyLock } from '../../../src/policy/policy-lock.js';

const field = (name: string, instrument: string, more: Partial<Field> = {}): Field => ({
  ...BLANK_FIELD,
  name,
  instrument,
  ...more,
});
const calc = (name: string, formula: string): Field =>
  field(name, 'visits', { type: 'calc', choicesOrCalculations: formula });

const FIELDS = [
  field('record_id', 'people'),
  field('email', 'people'),
  field('born', 'people'),
  field('weight', 'visits'),
  field('height', 'visits'),
  calc('bmi', '[weight] / [height]'),
  calc('bmi_twice', '[bmi] * 2'),
];
const projectOf = (fields: readonly Field[]): ProjectStructure =>
  new ProjectStructure({ dictionary: new DataDictionary(fields) });
const PROJECT = projectOf(FIELDS);

function policyOf(
  rules: string,
  records = 'all',
): { policy: Policy; set: ReturnType<typeof readPolicyFile> } {
  const set = readPolicyFile(
    `version: 1\npolicies: { p: { records: ${records}, ${rules} } }\nbindings: []\n`,
  );
  const policy = set.policies.p;
  if (policy === undefined) throw new Error('The policy is there.');
  return { policy, set };
}

/** Compiles a policy whose every field was accepted in `accepted`. */
function visible(rules: string, project = PROJECT, accepted = PROJECT, records = 'all'): string[] {
  const { policy, set } = policyOf(rules, records);
  return [...compilePolicy('p', policy, project, acceptAll(set, accepted)).fields.keys()];
}

function problems(rules: string, project = PROJECT, records = 'all'): string[] {
  try {
    visible(rules, project, PROJECT, records);
  } catch (error) {
    if (error instanceof PolicyInvalidError) return error.errors.map(({ field: name }) => name);
    throw error;
  }
  return [];
}

describe('A compiled policy', () => {
  it('shows the record id and the fields of the forms it names, and nothing else', () => {
    expect(visible('forms: { people: read }, fields: { hide: [email] }')).to.deep.equal([
      'record_id',
      'born',
    ]);
  });

  it('hides a calculation that reads a hidden field, also by way of another, unless the policy names it', () => {
    expect(visible('forms: { visits: read }, fields: { hide: [height] }')).to.deep.equal([
      'record_id',
      'weight',
    ]);
    expect(visible('forms: { visits: read }, fields: { hide: [height], read: [bmi] }')).to.deep.equal([
      'record_id',
      'weight',
      'bmi',
      'bmi_twice',
    ]);
  });

  it('hides a calculation from a hidden event, from the status of a hidden form, and from records of others', () => {
    const events = ['base_arm_1', 'week_arm_1'];
    const project = new ProjectStructure({
      dictionary: new DataDictionary([
        ...FIELDS,
        calc('change', '[week_arm_1][weight] - [base_arm_1][weight]'),
        calc('neighbour', '[previous-event-name][weight]'),
        calc('same', '[event-name][weight]'),
        calc('status', '[people_complete] + 1'),
        calc('mean', '[aggregate-mean:weight]'),
      ]),
      events: events.map((uniqueName) => ({ uniqueName, label: uniqueName, arm: 1 })),
    });
    const rules = 'forms: { visits: read }, events: [week_arm_1]';

    expect(visible(rules, project, project)).to.include.members(['bmi', 'same']);
    for (const name of ['change', 'neighbour', 'status'])
      expect(visible(rules, project, project)).to.not.include(name);
    expect(visible(rules, project, project)).to.include('mean');
    expect(visible(rules, project, project, '{ dag: paris }')).to.not.include('mean');
    expect(visible(`${rules}, fields: { read: [change] }`, project, project)).to.include('change');
  });

  it('hides a field that came after the lock was accepted, with "*" and with a named form', () => {
    const later = projectOf([...FIELDS, field('national_id', 'visits')]);

    for (const forms of ['forms: { "*": read }', 'forms: { visits: read }'])
      expect(visible(forms, later)).to.not.include('national_id');
    expect(visible('forms: { "*": read }', later, later)).to.include('national_id');
  });

  it('is closed by each name that the project does not have, and when nothing was accepted', () => {
    expect(problems('forms: { visit: read }')).to.include('forms.visit');
    expect(problems('forms: { people: read }, fields: { hide: [e_mail] }')).to.deep.equal([
      'fields.hide.e_mail',
    ]);
    expect(problems('forms: { people: read }, events: [a_arm_1]')).to.deep.equal(['events.a_arm_1']);
    expect(() =>
      compilePolicy('p', policyOf('forms: { people: read }').policy, PROJECT, { version: 1, policies: {} }),
    ).to.throw(PolicyInvalidError);
  });

  it('knows the fields that a condition on the records reads, also by way of a calculation', () => {
    const { policy, set } = policyOf('forms: { visits: write }', '{ where: "[bmi] > 30" }');
    const { deciding } = compilePolicy('p', policy, PROJECT, acceptAll(set, PROJECT));

    expect([...deciding]).to.deep.equal(['bmi', 'weight', 'height']);
  });

  it('is closed by a condition that reads what the project does not have, or that cannot be checked', () => {
    for (const where of ['[agee] > 1', '[x_arm_1][born] = 1', 'nonesuch([born]) = 1', '[user-name] = 1'])
      expect(problems('forms: { people: read }', PROJECT, `{ where: "${where}" }`), where).to.deep.equal([
        'records.where',
      ]);
    const unread = projectOf([...FIELDS, calc('odd', '[weight:value] + 1')]);
    expect(problems('forms: { people: read }', unread, '{ where: "[odd] > 1" }')).to.deep.equal(['records']);
  });

  it('has one key for each set of records, which does not contain an address', () => {
    const { policy, set } = policyOf('forms: { people: read }');
    const compiled = compilePolicy('p', policy, PROJECT, acceptAll(set, PROJECT));
    const keyOf = (equals: string): string =>
      viewWith(compiled, { kind: 'own', field: 'email', events: undefined, equals }, 'secret').key;

    expect(keyOf('ada@example.org')).to.equal(keyOf('ada@example.org'));
    expect(keyOf('ada@example.org')).to.not.equal(keyOf('bob@example.org'));
    expect(keyOf('ada@example.org')).to.not.include('ada');
  });

  it('reads the lock that was written', () => {
    const lock = acceptAll(policyOf('forms: { "*": read }').set, PROJECT);

    expect(readPolicyLock(writePolicyLock(lock))).to.deep.equal(lock);
  });

  it('hides a chain of calculations with the work of its length', () => {
    const { fields, readings } = countedChain(2000, 'email', 'visits');
    const project = projectOf([...FIELDS.slice(0, 4), ...fields]);

    const names = visible('forms: { "*": read }, fields: { hide: [email] }', project, project);

    expect(names).to.deep.equal(['record_id', 'born', 'weight']);
    expect(readings()).to.be.below(20 * 2000);
  });

  it('hides what reads a form of which only hidden calculations are left', () => {
    const project = projectOf([
      ...FIELDS,
      field('score', 'scores', { type: 'calc', choicesOrCalculations: '[email] + 1' }),
      calc('is_scored', '[scores_complete] + 1'),
      calc('is_scored_twice', '[is_scored] * 2'),
    ]);

    const names = visible('forms: { "*": read }, fields: { hide: [email] }', project, project);

    expect(names).to.include('bmi_twice').and.not.include.members(['is_scored']);
    expect(names).to.not.include('is_scored_twice').and.not.include('score');
  });
});
