import { expect } from 'chai';
import { BARE_CONTEXT } from '../../../src/pages/page-context.js';
import { problemPage } from '../../../src/pages/problem-page.js';
import { LANGUAGES } from '../../../src/pages/texts/texts.js';

describe('The page of a problem', () => {
  for (const [seconds, words, german] of [
    [0, 'in a second', 'in einer Sekunde'],
    [2, 'in 2 seconds', 'in 2 Sekunden'],
    [119, 'in 119 seconds', 'in 119 Sekunden'],
    [121, 'in 3 minutes', 'in 3 Minuten'],
    [7200, 'in 2 hours', 'in 2 Stunden'],
  ] as const) {
    it(`writes a wait of ${seconds} s as “${words}”, and in German as “${german}”`, () => {
      expect(LANGUAGES.en.problem.tryAgainIn(seconds)).to.include(` ${words}.`);
      expect(LANGUAGES.de.problem.tryAgainIn(seconds)).to.include(` ${german} `);
    });
  }

  const problem = {
    title: 'T',
    status: 404,
    detail: undefined,
    isMessage: false,
    retryAfterSeconds: undefined,
    requestId: 'id',
    isRepeatable: true,
  };

  it('links to the sign-in page only if there is one', () => {
    expect(problemPage(problem, { ...BARE_CONTEXT, hasSignIn: true })).to.include('href="/login"');
    expect(problemPage(problem, { ...BARE_CONTEXT, isSandbox: true })).to.not.match(
      /href="\/(login|sandbox)/,
    );
  });

  it('offers to try again after a fault, unless that would send a form again', () => {
    const fault = { ...problem, status: 500 };

    expect(problemPage(fault, BARE_CONTEXT)).to.match(/<a class="button" href="">\s*Try again/);
    expect(problemPage({ ...fault, isRepeatable: false }, BARE_CONTEXT)).to.not.include('href=""');
    expect(problemPage(problem, BARE_CONTEXT)).to.not.include('href=""');
  });
});
