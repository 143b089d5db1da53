import { expect } from 'chai';
import type { ConfigurationError } from '../../../src/domain/errors/operator-errors.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';

const RIGHT = `version: 1
policies:
  monitor:
    records: { dag: $caller.dag }
    forms: { visits: read }
bindings:
  - { key: paris, policy: monitor, dag: paris }
`;

/** Returns the mistakes of a text, one line each. */
function mistakes(text: string): string[] {
  try {
    readPolicyFile(text);
  } catch (error) {
    return (error as ConfigurationError).errors.map(({ field, message }) => `${field} ${message}`);
  }
  return [];
}

describe('A policy file', () => {
  it('says what policies grant, and who has them', () => {
    const { policies, bindings } = readPolicyFile(RIGHT);

    expect(policies.monitor?.records).to.deep.equal({ dag: '$caller.dag' });
    expect(bindings).to.deep.equal([{ key: 'paris', policy: 'monitor', dag: 'paris' }]);
  });

  it('names several mistakes at once, with the line of each and what was meant', () => {
    const text = RIGHT.replace('records:', 'record:').replace('visits: read', 'Visits: read');

    expect(mistakes(text)).to.include(
      'line 4, policies.monitor.record is not a property of a policy; did you mean records?',
    );
    expect(mistakes(text).some((line) => line.startsWith('line 5, policies.monitor.forms.Visits '))).to.equal(
      true,
    );
    expect(mistakes(RIGHT.replace('policy: monitor', 'policy: moniter'))).to.deep.equal([
      'line 7, bindings[0].policy is not a policy of this file; did you mean monitor?',
    ]);
  });

  it('refuses a right that no policy can grant, a name that is used twice, aliases, and what is no YAML', () => {
    expect(mistakes(RIGHT.replace('visits: read', 'visits: edit'))).to.deep.equal([
      'line 5, policies.monitor.forms.visits must be read, write or none',
    ]);
    expect(mistakes(`${RIGHT}version: 1\n`)).to.deep.equal(['line 8 has a name that was used before']);
    expect(mistakes(RIGHT.replace('{ visits: read }', '&a { visits: *a }'))).to.have.length(1);
    expect(mistakes('a: [')).to.deep.equal(['line 1 is not YAML that can be read']);
  });

  it('refuses a condition that cannot be read, and new records that nobody could see', () => {
    const where = RIGHT.replace('{ dag: $caller.dag }', '{ where: "[age] >= " }');
    expect(mistakes(where)).to.deep.equal([
      'line 4, policies.monitor.records.where must be a condition that can be read, such as "[age] >= 18"',
    ]);
    const creates = RIGHT.replace('{ dag: $caller.dag }', '{ where: "[age] >= 18" }\n    create: auto');
    expect(mistakes(creates)).to.deep.equal([
      'line 5, policies.monitor.create needs records: all or { dag: … }, or nobody could see what was created',
    ]);
  });

  it('binds sessions to what REDCap shows a user, and to no policy or group as well', () => {
    const bound = (binding: string): string[] =>
      mistakes(RIGHT.replace('key: paris, policy: monitor, dag: paris', binding));

    expect(bound('session: "*", mirror: redcap-user')).to.deep.equal([]);
    for (const [binding, rule] of [
      ['session: "*", mirror: redcap-user, policy: monitor', 'must have either policy or mirror'],
      ['session: "*"', 'must have either policy or mirror'],
      ['session: "*", mirror: somebody', '.mirror must be redcap-user'],
      ['session: "*", mirror: redcap-user, dag: paris', 'with mirror must have session, and no dag'],
      ['key: paris, mirror: redcap-user', 'with mirror must have session, and no dag'],
    ] as const)
      expect(bound(binding).join(), binding).to.include(rule);
  });

  it('grants with de-identification nothing that leads around it', () => {
    const policy = (rules: string): string =>
      `version: 1\npolicies: { p: { records: all, forms: { a: read, "*": write }, ${rules} } }\nbindings: []\n`;
    const rights = 'create: auto, files: read, log: read, reports: [12]';

    expect(mistakes(policy(rights))).to.deep.equal([]);
    for (const how of ['deidentify: remove-identifiers', 'transform: { record_id: random }'])
      expect(mistakes(policy(`${rights}, ${how}`)), how).to.deep.equal([
        'line 2, policies.p.forms.* must not be write together with de-identification',
        'line 2, policies.p.create must be false together with de-identification',
        'line 2, policies.p.files must be none together with de-identification',
        'line 2, policies.p.reports must be empty together with de-identification',
        'line 2, policies.p.log must be none together with de-identification',
      ]);
  });

  it('refuses a transform that is weaker than safe-harbor, and one that it does not know', () => {
    const policy = (transform: string, preset = 'safe-harbor'): string =>
      `version: 1\npolicies: { p: { records: all, forms: { a: read }, deidentify: ${preset}, transform: ${transform} } }\nbindings: []\n`;
    const weaker = '{ record_id: pseudonym, dates: shift, age: { top: 95 } }';

    expect(mistakes(policy(weaker, 'limited'))).to.deep.equal([]);
    expect(mistakes(policy(weaker))).to.deep.equal([
      'line 2, policies.p.transform.record_id must be random for safe-harbor',
      'line 2, policies.p.transform.dates must be year for safe-harbor',
      'line 2, policies.p.transform.age.top must be at most 90 for safe-harbor',
    ]);
    expect(mistakes(policy('{ date: shift, zip: { keep: 4 } }', 'limted'))).to.deep.equal([
      'line 2, policies.p.deidentify must be one of none, remove-identifiers, limited, safe-harbor',
      'line 2, policies.p.transform.zip.keep must be 3',
      'line 2, policies.p.transform.date is not a property; did you mean dates?',
    ]);
  });

  it('repeats no value', () => {
    expect(mistakes(RIGHT.replace('$caller.dag', 'SENTINEL of a site')).join()).to.not.include('SENTINEL');
    expect(mistakes(RIGHT.replace('key: paris', 'session: SENTINEL@a b')).join()).to.not.include('SENTINEL');
  });
});
