import { expect } from 'chai';
import { DataDictionary } from '../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../src/domain/dictionary/project-structure.js';
import { compilePolicy } from '../../src/policy/compile-view.js';
import { readPolicyFile } from '../../src/policy/policy-file.js';
import { acceptAll } from '../../src/policy/policy-lock.js';
import { visibleDictionary } from '../../src/policy/visible-dictionary.js';
import type { Design } from '../proof/made-up.js';
import { smallerStudy } from '../proof/smaller-study.js';
import { defineInstrument, type FieldDefinition } from '../support/define-instrument.js';
import { DESIGNS } from './designs.js';

/** A field on the form that is shown, after those of the design. */
const calc = (choicesOrCalculations: string, annotation = ''): FieldDefinition => ({
  ...{ name: 'odd', type: 'calc', label: 'Odd', choicesOrCalculations, annotation },
});
const text = (annotation: string, label = 'Odd', validationType = 'integer'): FieldDefinition => ({
  ...{ name: 'odd', type: 'text', label, validationType, annotation },
});

const PLAIN = 'records: all, forms: { vitals: read }, fields: { hide: [limit_kg] }';
const OF_EVENTS = (event: string): string => `records: all, forms: { vitals: read }, events: [${event}]`;
const LIMITED = 'records: all, forms: { "*": read }, deidentify: limited';
const PSEUDONYMS = 'records: all, forms: { "*": read }, transform: { record_id: pseudonym }';

const [EVENT = '', OTHER = ''] = DESIGNS.longitudinal.events.map(({ uniqueName }) => uniqueName);
const CASES: readonly (readonly [rules: string, field: FieldDefinition, isShown: boolean])[] = [
  [PLAIN, calc('[weight] * 2'), true],
  [PLAIN, calc('[limit_kg] * 2'), false],
  // What cannot be read may read everything.
  [PLAIN, calc('[weight] *'), false],
  [PLAIN, calc('[weight:value] + 1'), false],
  [PLAIN, calc(''), false],
  [PLAIN, calc('[aggregate-mean:limit_kg]'), false],
  [PLAIN, calc('[weight] * 2', "@IF([limit_kg] = '1', @HIDDEN, '')"), true],
  [PLAIN, calc("if([sex_of] = 'limit_kg', [weight], 1)"), true],
  [PLAIN, text('@CALCTEXT([limit_kg])'), false],
  [PLAIN, text('@CALCTEXT([limit_kg)'), false],
  [PLAIN, text('@CALCTEXT([weight])'), true],
  [PLAIN, text("@CHARLIMIT=9 @IF([limit_kg] = '(', @READONLY, '') @HIDDEN"), true],
  [PLAIN, text("Never more than [limit_kg] kg. @DEFAULT = '[limit_kg] @X' @PLACEHOLDER='kg' "), true],
  [OF_EVENTS(EVENT), calc(`[${EVENT}][weight] + 1`), true],
  [OF_EVENTS(EVENT), calc(`[${OTHER}][weight] + 1`), false],
  [OF_EVENTS(EVENT), calc('[previous-event-name][weight] + 1'), false],
  [OF_EVENTS(EVENT), calc('[event-name][weight] + 1'), true],
  [OF_EVENTS(EVENT), text('', `Is [weight][height] of [weight][${OTHER}][height]`), true],
  [OF_EVENTS(EVENT), text('', 'Of [record-name][weight]'), true],
  [LIMITED, calc('[weight] * 2'), true],
  [LIMITED, calc('[weight] *'), false],
  [LIMITED, calc('[aggregate-max:born] * 1'), false],
  [LIMITED, calc('[record-name] * 1'), false],
  [LIMITED, text("@DEFAULT='[record-name]'"), false],
  [LIMITED, text("@DEFAULT='[event-number]'"), true],
  [PSEUDONYMS, text('@CALCTEXT([record-name])'), false],
  [PSEUDONYMS, text("@DEFAULT='[user-name]'"), false],
];

/** What the service shows of a design, and what the program that proves it leaves of it. */
function fieldsOf(rules: string, design: Design) {
  const set = readPolicyFile(`version: 1\npolicies: { p: { ${rules} } }\nbindings: []\n`);
  const policy = set.policies.p;
  if (policy === undefined) throw new Error('The policy is there.');
  const structure = new ProjectStructure({
    dictionary: new DataDictionary(design.fields),
    events: design.events,
    mappings: design.mappings,
  });
  const lock = acceptAll(set, structure);
  const accepted = lock.policies.p ?? {};
  const view = compilePolicy('p', policy, structure, lock);
  const person = { group: '', email: '' };
  const granted = { rules: policy, accepted: new Set(Object.values(accepted).flat()), person };
  const { study } = smallerStudy({ ...design, rows: [] }, granted);
  return { shown: visibleDictionary(design.fields, view), left: study.fields };
}

describe('A formula, and the program that proves what is shown of it (GW-03)', () => {
  for (const [rules, field, isShown] of CASES)
    it(`agree under ${rules}: ${field.choicesOrCalculations ?? ''} ${field.annotation ?? ''} ${field.label}`, () => {
      const design: Design = {
        ...DESIGNS.longitudinal,
        fields: [...DESIGNS.longitudinal.fields, ...defineInstrument('vitals', [field])],
      };
      const { shown, left } = fieldsOf(rules, design);

      expect(shown.some(({ name }) => name === 'odd')).to.equal(isShown);
      expect(shown).to.deep.equal(left);
    });
});
