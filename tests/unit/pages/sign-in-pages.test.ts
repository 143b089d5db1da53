import { expect } from 'chai';
import { BARE_CONTEXT } from '../../../src/pages/page-context.js';
import { checkMailPage } from '../../../src/pages/sign-in-pages.js';

describe('The page “Check your mail”', () => {
  const problem = 'This code is not valid here.';

  it('says what is wrong with a code next to its field, and without the field all the same', () => {
    const withField = checkMailPage(BARE_CONTEXT, { pending: { phrase: '', takesCode: true }, problem });
    const without = checkMailPage(BARE_CONTEXT, { problem });

    expect(withField.split(problem)).to.have.length(2);
    expect(withField).to.match(
      new RegExp(`<h2>Mail on another device\\?</h2>.*${problem}.*<input id="code"`, 's'),
    );
    expect(without).to.include(problem).and.not.include('id="code"');
  });
});
