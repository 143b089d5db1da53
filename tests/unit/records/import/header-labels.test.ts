import { expect } from 'chai';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { defineInstrument } from '../../../support/define-instrument.js';
import { HeaderLabels, keptApart } from '../../../../src/records/import/header-labels.js';
import { ProblemList } from '../../../../src/records/import/problem-list.js';
import { classicStudy } from '../../../support/studies.js';
import { cpuMsOf } from '../../../support/cpu-ms-of.js';

/** The problems of a row under these headings. */
function problemsOf(headings: readonly string[]): ProblemList {
  const problems = new ProblemList();
  const columns = keptApart(headings);
  const row = Object.fromEntries(columns.map((name) => [name, '1']));
  const labels = new HeaderLabels(new DataDictionary(classicStudy().fields), undefined);
  labels.named({ place: { row: 1, line: 2 }, columns, row }, problems);
  return problems;
}

describe('HeaderLabels', () => {
  it('tells the columns of one heading apart, also beside a heading that looks like theirs', () => {
    const columns = keptApart(['Age', 'Age', 'Age', '', '', 'Id']);

    expect(new Set(columns.filter((name) => name !== '')).size).to.equal(4);
    expect(problemsOf(['Id', 'Age', 'Age']).problems).to.have.length(1);
  });

  it('tells equal forms apart that follow each other, as an export has them', () => {
    const forms = ['first', 'second', 'third'].flatMap((form) =>
      defineInstrument(form, [
        ...(form === 'first' ? [{ name: 'id', type: 'text', label: 'Id' }] : []),
        { name: `${form}_weight`, type: 'text', label: 'Weight' },
        { name: `${form}_height`, type: 'text', label: 'Height' },
      ]),
    );
    const columns = keptApart(['Id', ...Array<string[]>(3).fill(['Weight', 'Height', 'Complete?']).flat()]);
    const row = Object.fromEntries(columns.map((name) => [name, '1']));
    const problems = new ProblemList();
    const named = new HeaderLabels(new DataDictionary(forms), undefined).named(
      { place: { row: 1, line: 2 }, columns, row },
      problems,
    );

    expect(problems.problems).to.deep.equal([]);
    expect(named?.columns).to.deep.equal([
      'id',
      ...['first', 'second', 'third'].flatMap((form) => [
        ...[`${form}_weight`, `${form}_height`, `${form}_complete`],
      ]),
    ]);
  });

  for (const [what, headings] of [
    ['10,000 equal headings', Array<string>(10_000).fill('a'.repeat(90))],
    ['10,000 form statuses', ['Id', ...Array<string>(9_999).fill('Complete?')]],
    ['a heading of zero bytes', ['Id', `${'\0'.repeat(900_000)}x`]],
    ['a heading of zero bytes and digits', ['Id', `${'\0'.repeat(400_000)}${'1'.repeat(400_000)}x`]],
  ] as const)
    it(`takes linear time for ${what}`, () => {
      expect(cpuMsOf(() => problemsOf(headings))).to.be.below(1_500);
    });
});
