import { expect } from 'chai';
import { BARE_CONTEXT } from '../../../src/pages/page-context.js';
import { problemPage, waitInWords } from '../../../src/pages/problem-page.js';

describe('The page of a problem', () => {
  for (const [seconds, words] of [
    [0, 'in a second'],
    [1, 'in a second'],
    [2, 'in 2 seconds'],
    [119, 'in 119 seconds'],
    [120, 'in 2 minutes'],
    [121, 'in 3 minutes'],
    [873, 'in 15 minutes'],
    [7200, 'in 2 hours'],
  ] as const) {
    it(`writes a wait of ${seconds} s as “${words}”`, () => {
      expect(waitInWords(seconds)).to.equal(words);
    });
  }

  const problem = {
    title: 'T',
    status: 404,
    detail: undefined,
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
