import { expect } from 'chai';
import {
  countOrphans,
  dictionaryChanges,
  type DesignChange,
  type Orphans,
} from '../../../../src/domain/dictionary/dictionary-changes.js';
import { BLANK_FIELD, type Field } from '../../../../src/domain/dictionary/field.js';

const field = (name: string, properties: Partial<Field> = {}): Field => ({
  ...BLANK_FIELD,
  name,
  instrument: 'base',
  ...properties,
});
const site = (choices: string, type = 'radio'): Field =>
  field('site', { type, choicesOrCalculations: choices });
const ID = field('id');

/** Returns the changes in words, each with the values and records that it would orphan. */
function changed(before: Field[], after: Field[], rows: Record<string, string>[] = []): unknown[] {
  const changes = dictionaryChanges([ID, ...before], [ID, ...after], new Set(['UNK']));
  const found = new Map<DesignChange, Orphans>();
  for (const row of rows) countOrphans(changes, row, 'id', found);
  return changes.map((change) => {
    const orphans = found.get(change);
    return orphans === undefined ? change.text : [change.text, orphans.values, orphans.records.size];
  });
}

describe('The changes of a data dictionary', () => {
  it('are none between a dictionary and itself', () => {
    expect(changed([site('1, A')], [site('1, A')])).to.deep.equal([]);
  });

  it('name fields that are added, removed and moved, and every other property', () => {
    expect(
      changed(
        [field('age', { label: 'Age', validationType: 'integer' }), field('old')],
        [field('age', { label: 'Age in years', validationType: 'number', isRequired: true }), field('new')],
        [
          { id: '1', old: 'x', age: '4' },
          { id: '1', old: 'y', age: '' },
          { id: '2', old: '', age: '' },
        ],
      ),
    ).to.deep.equal([
      'age: label "Age" → "Age in years"',
      'age: validation "integer" → "number"',
      'age: required no → yes',
      'new: added to base',
      ['old: removed', 2, 1],
    ]);
    expect(changed([field('a'), field('b')], [field('b'), field('a')])).to.deep.equal([
      'the fields are in another order',
    ]);
  });

  it('count the values of a choice that is removed, and none of one that is renamed', () => {
    const rows = [
      { id: '1', site: '3' },
      { id: '2', site: '3' },
      { id: '3', site: '1' },
    ];
    expect(changed([site('1, A | 3, South')], [site('1, B | 2, North')], rows)).to.deep.equal([
      'site: choice 1 "A" → "B"',
      'site: choice 2 "North" added',
      ['site: choice 3 "South" removed', 2, 2],
    ]);
  });

  it('count checked boxes only, and all of them if the field is no checkbox any more', () => {
    const rows = [
      { id: '1', site___1: '1', site___x_2: '0' },
      { id: '2', site___1: '1', site___x_2: '1' },
    ];
    expect(changed([site('1, A | X-2, B', 'checkbox')], [site('1, A', 'checkbox')], rows)).to.deep.equal([
      ['site: choice X-2 "B" removed', 1, 1],
    ]);
    expect(changed([site('1, A | X-2, B', 'checkbox')], [site('1, A')], rows)).to.deep.equal([
      ['site: type checkbox → radio', 3, 2],
      'site: choice X-2 "B" removed',
    ]);
  });

  it('count text that is no choice, but not missing data codes', () => {
    const rows = ['1', 'one', 'UNK', ''].map((value, at) => ({ id: String(at), site: value }));
    expect(changed([field('site')], [site('1, A')], rows)).to.deep.equal([['site: type text → radio', 1, 1]]);
    expect(changed([site('1, A')], [field('site')], rows)).to.deep.equal(['site: type radio → text']);
  });

  it('count no calculated values, which are not lost', () => {
    const calc = field('bmi', { type: 'calc', choicesOrCalculations: '[a]' });
    expect(changed([calc], [], [{ id: '1', bmi: '3' }])).to.deep.equal(['bmi: removed']);
    expect(changed([calc], [{ ...calc, choicesOrCalculations: '[b]' }])).to.deep.equal([
      'bmi: calculation changed',
    ]);
  });
});
