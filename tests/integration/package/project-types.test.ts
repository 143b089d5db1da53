import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { parseChoices } from '../../../src/domain/dictionary/choices.js';
import { DataDictionary } from '../../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../src/domain/dictionary/project-structure.js';
import { writeProjectTypes } from '../../../src/domain/dictionary/project-types/write-project-types.js';
import { createDemoStudy } from '../../../src/sandbox/demo-study/demo-study.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { TEXT_VALIDATIONS } from '../../../src/domain/dictionary/text-validations.js';
import { FIELD_TYPES, someField } from '../../support/some-field.js';
import { armsStudy, longitudinalStudy } from '../../support/studies.js';

function structureOf(study: Study): ProjectStructure {
  const { fields, project } = study;
  return new ProjectStructure({
    ...study,
    dictionary: new DataDictionary(fields),
    missingDataCodes: parseChoices(project.missingDataCodes).map(({ code }) => code),
  });
}

const HOSTILE = '*/ } `${x}` </script> "\\" \'\' // /* @deprecated \u202e\u2066\u2028\n 😀 \u0000';

/** Every field type and every validation, and text that tries to escape from its context. */
function hostileStructure(): ProjectStructure {
  const choicesOrCalculations = `1, ${HOSTILE} | '2, ${HOSTILE} | *\u002f3, x | \\4, y | Aa, z`;
  const fields = [
    someField('record_id'),
    ...FIELD_TYPES.map((type) => someField(`a_${type}`, { type, choicesOrCalculations })),
    ...[...TEXT_VALIDATIONS.keys()].map((validationType) =>
      someField(`v_${validationType}`, { validationType }),
    ),
    someField('constructor'),
    someField('class'),
    someField('string', { instrument: 'record' }),
    someField('number', { instrument: 'constructor' }),
  ].map((field) => ({ ...field, label: HOSTILE, note: HOSTILE, validationMin: HOSTILE }));
  return new ProjectStructure({
    dictionary: new DataDictionary(fields),
    events: [{ uniqueName: "a'b_arm_1", label: HOSTILE, arm: 1 }],
    missingDataCodes: [HOSTILE],
  });
}

const HEAD = `
import { createCrfClient } from 'crf-service/client';
import type { Project as Demo } from './demo.js';
import type { Project as Arms } from './arms.js';
import type { Project as Visits } from './visits.js';
const config = { url: 'http://localhost/api/', token: 'C0FFEE00C0FFEE00C0FFEE00C0FFEE00' };
const demo = createCrfClient<Demo>(config);
const arms = createCrfClient<Arms>(config);
const visits = createCrfClient<Visits>(config);
void [demo, arms, visits];
`;

const CORRECT = `
const [row] = await demo.exportRecords({ fields: ['age', 'languages'] });
const age: string | undefined = row?.age;
const french: '0' | '1' | '' | undefined = row?.languages___1;
const [all] = await demo.exportRecords();
const [form] = await demo.exportRecords({ forms: ['demographics'] });
const sex: '1' | '2' | '3' | '9' | '' | undefined = form?.sex;
for await (const typed of demo.rows('demographics')) {
  const years: number | null = typed.age;
  const alone: boolean | null = typed.lives_alone;
  const spoken: readonly ('1' | '2' | '3' | '4' | '5' | '-99')[] | null = typed.languages;
  void [years, alone, spoken];
}
for await (const { sex: labelled } of demo.rows('demographics', { labels: true })) {
  const label: string | undefined = labelled?.label;
  void label;
}
for await (const visit of arms.rows('visit')) {
  const weight: number | null | { readonly missing: 'UNK' | '-9' } = visit.weight;
  const event: 'visit_arm_1' = visit.redcap_event_name;
  const instance: number | null = visit.redcap_repeat_instance;
  void [weight, event, instance];
}
await visits.exportRecords({ forms: ['visit'], events: ['end_arm_1'] });
await demo.importRecords([
  { record_id: 'COHORT-2026-PARTICIPANT-0001', age: 42, sex: '1', languages___1: '1', lives_alone: true },
]);
await arms.importRecords([{ id: '1', redcap_event_name: 'start_arm_1', name: 'UNK', mood: 'UNK' }]);
const logic = demo.where('age').gte(18).and(demo.where('languages').includes('5')).or(demo.where('sex').eq('1'));
await demo.exportRecords({ fields: ['record_id'], filterLogic: logic });
await demo.importRows([{ record_id: 'a', age: 42, sex: '1', languages: ['1'], lives_alone: true }]);
await demo.importRows([{ record_id: 'a', sex: { code: '1', label: 'Female' }, languages: null }]);
for await (const form of demo.rows('follow_up')) await demo.importRows([form]);
for await (const form of demo.rows('demographics', { labels: true })) await demo.importRows([form]);
for await (const visit of arms.rows('visit')) await arms.importRows([visit]);
const record = await demo.getRecord('a');
for (const { event, instruments } of record.events) {
  const none: '' = event;
  for (const form of instruments) {
    if (form.instrument !== 'demographics') continue;
    const years: number | null | undefined = form.instances[0]?.values.age;
    void [none, years];
  }
}
const part = await arms.getRecord('a', { fields: ['weight'], labels: true });
if (part.events[0]?.event === 'visit_arm_1') console.log('a visit');
await demo.files.put({ record: 'a', field: 'consent_form' }, { name: 'a.pdf', bytes: new Uint8Array(2) });
await demo.files.put({ record: 'a', field: 'consent_form' }, { name: 'a.pdf', bytes: new Blob(['a']) });
await demo.records.delete(['a'], { instrument: 'follow_up', instance: 2 });
await visits.records.delete(['a'], { instrument: 'visit', event: 'end_arm_1' });
await demo.importData(new Uint8Array(2), { format: 'csv' });
await demo.importData(new Blob(['a']), { format: 'csv' });
await demo.checkFilterLogic(logic);
await demo.getVersion();
void [age, french, all?.bmi, sex];
`;

/** Programs with one mistake each, and the error of the compiler. */
const WRONG: readonly (readonly [string, string, RegExp])[] = [
  [
    'a misspelt field',
    `await demo.exportRecords({ fields: ['agee'] });`,
    // As shown in docs/typed-projects.md.
    /^Type '"agee"' is not assignable to type 'Key<Fields>'\. Did you mean '"age"'\?$/,
  ],
  ['a field of another project', `await demo.exportRecords({ fields: ['pulse'] });`, /pulse/],
  ['a misspelt instrument', `await demo.exportRecords({ forms: ['demografics'] });`, /demografics/],
  [
    'a column that was not requested',
    `(await demo.exportRecords({ fields: ['age'] }))[0]?.sex;`,
    /'sex' does not exist/,
  ],
  [
    'a column of another instrument',
    `(await demo.exportRecords({ forms: ['demographics'] }))[0]?.bmi;`,
    /'bmi'/,
  ],
  [
    'a checkbox field as one column',
    `(await demo.exportRecords({ fields: ['languages'] }))[0]?.languages;`,
    /'languages'/,
  ],
  [
    'a choice that a checkbox has not',
    `(await demo.exportRecords({ fields: ['languages'] }))[0]?.languages___6;`,
    /languages___6/,
  ],
  ['an unknown event', `await visits.exportRecords({ events: ['middle_arm_1'] });`, /middle_arm_1/],
  [
    'an event without that instrument',
    `await visits.exportRecords({ forms: ['base'], events: ['end_arm_1'] });`,
    /end_arm_1/,
  ],
  [
    'rows of an event without that instrument',
    `visits.rows('meds', { events: ['end_arm_1'] });`,
    /end_arm_1/,
  ],
  ['rows of an unknown instrument', `demo.rows('visits');`, /visits/],
  ['a typed number as text', `for await (const { age } of demo.rows('demographics')) age?.trim();`, /trim/],
  [
    'a typed code that is not a choice',
    `for await (const { sex } of demo.rows('demographics')) if (sex === '4') break;`,
    /no overlap/,
  ],
  [
    'an import of a code that is not a choice',
    `await demo.importRecords([{ record_id: 'a', sex: '4' }]);`,
    /'"4"' is not assignable/,
  ],
  ['an import of an unknown field', `await demo.importRecords([{ record_id: 'a', agee: 4 }]);`, /agee/],
  ['an import without the record id', `await demo.importRecords([{ age: 4 }]);`, /record_id/],
  ['an import of text for a number', `await demo.importRecords([{ record_id: 'a', age: 'old' }]);`, /"old"/],
  [
    'an import at an unknown event',
    `await visits.importRecords([{ id: 'a', redcap_event_name: 'x_arm_1' }]);`,
    /x_arm_1/,
  ],
  ['a comparison of a number with text', `demo.where('age').gte('18');`, /'string' is not assignable/],
  ['a comparison with a code that is not a choice', `demo.where('sex').eq('4');`, /'"4"' is not assignable/],
  [
    'a checkbox code that is not a choice',
    `demo.where('languages').includes('6');`,
    /'"6"' is not assignable/,
  ],
  ['typed rows of an unknown field', `await demo.importRows([{ record_id: 'a', agee: 4 }]);`, /agee/],
  [
    'typed rows with text for a number',
    `await demo.importRows([{ record_id: 'a', age: '4' }]);`,
    /'string' is not assignable/,
  ],
  [
    'typed rows with a code that is not a choice',
    `await demo.importRows([{ record_id: 'a', languages: ['6'] }]);`,
    /'string' is not assignable to type .*"5"/,
  ],
  ['a record read by an unknown field', `await demo.getRecord('a', { fields: ['agee'] });`, /agee/],
  [
    'a value of another instrument in a record',
    `for (const form of (await demo.getRecord('a')).events[0]?.instruments ?? []) {
      if (form.instrument === 'demographics') void form.instances[0]?.values.bmi;
    }`,
    /'bmi'/,
  ],
  [
    'a file of a field that has none',
    `await demo.files.get({ record: 'a', field: 'age' });`,
    /'"age"' is not assignable/,
  ],
  [
    'a file at an unknown event',
    `await visits.files.delete({ record: 'a', field: 'age' as never, event: 'x_arm_1' });`,
    /x_arm_1/,
  ],
  [
    'a deletion of an unknown instrument',
    `await demo.records.delete(['a'], { instrument: 'visits' });`,
    /visits/,
  ],
  [
    'a deletion at an event without that instrument',
    `await visits.records.delete(['a'], { instrument: 'base', event: 'end_arm_1' });`,
    /end_arm_1/,
  ],
  ['a comparison of an unknown field', `demo.where('agee').gte(18);`, /agee/],
];

describe('The types written by crf types', function () {
  this.timeout(120_000);
  // Inside the package, so that it is found by its own name.
  let folder: string;
  let errorsOf: (file: string) => string[];

  before(() => {
    folder = mkdtempSync(join(process.cwd(), 'build', 'project-types-'));
    const files = [
      ['demo.ts', writeProjectTypes(structureOf(createDemoStudy({ participants: 0 })), 'Demo')],
      ['arms.ts', writeProjectTypes(structureOf(armsStudy()), 'Arms')],
      ['visits.ts', writeProjectTypes(structureOf(longitudinalStudy()), 'Visits')],
      ['hostile.ts', writeProjectTypes(hostileStructure(), HOSTILE)],
      ['correct.ts', HEAD + CORRECT],
      ...WRONG.map(([, code], index) => [`wrong-${index}.ts`, HEAD + code]),
    ] as const;
    for (const [name, text] of files) writeFileSync(join(folder, name ?? ''), text ?? '');
    const program = ts.createProgram(
      files.map(([name]) => join(folder, name ?? '')),
      {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
        skipLibCheck: true,
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.NodeNext,
        types: ['node'],
      },
    );
    errorsOf = (file) =>
      program
        .getSemanticDiagnostics(program.getSourceFile(join(folder, file)))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const name of ['demo.ts', 'arms.ts', 'visits.ts', 'hostile.ts', 'correct.ts']) {
    it(`compile: ${name}`, () => {
      expect(errorsOf(name)).to.deep.equal([]);
    });
  }

  for (const [index, [mistake, , message]] of WRONG.entries()) {
    it(`reveal ${mistake}`, () => {
      const errors = errorsOf(`wrong-${index}.ts`);

      expect(errors).to.have.length(1);
      expect(errors[0]).to.match(message);
    });
  }
});
