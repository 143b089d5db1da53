import { expect } from 'chai';
import fc from 'fast-check';
import { choicesOf, parseChoices } from '../../../../src/domain/dictionary/choices.js';
import { cpuMsOf } from '../../../support/cpu-ms-of.js';

describe('parseChoices', () => {
  const cases: readonly [string, string, [string, string][]][] = [
    ['spaces around the bars', '1, Male | 2, Female', [['1', 'Male'], ['2', 'Female']]],
    ['no spaces at all', '1,Male|2,Female', [['1', 'Male'], ['2', 'Female']]],
    ['commas in a label', '5, Arabic, any dialect', [['5', 'Arabic, any dialect']]],
    ['letters, signs and upper case in codes', '-99, No | Aa, Yes | choice_1, Both', [['-99', 'No'], ['Aa', 'Yes'], ['choice_1', 'Both']]],
    ['HTML and quotes in a label', '1, <b title="x">Bold</b>', [['1', '<b title="x">Bold</b>']]],
    ['labels that repeat', '1, Same | 2, Same', [['1', 'Same'], ['2', 'Same']]],
    ['a bar at the end', '1, One | ', [['1', 'One']]],
    ['no comma: the label is the code', 'cough', [['cough', 'cough']]],
    ['nothing', '', []],
  ]; // prettier-ignore
  for (const [description, text, expected] of cases) {
    it(`reads ${description}`, () => {
      expect(parseChoices(text).map(({ code, label }) => [code, label])).to.deep.equal(expected);
    });
  }

  it('reads codes and labels as written, for any label without a bar', () => {
    const choice = fc.record({
      code: fc.stringMatching(/^[A-Za-z0-9_.-]{1,8}$/),
      label: fc.string({ unit: 'grapheme', maxLength: 20 }).filter((label) => !label.includes('|')),
    });
    fc.assert(
      fc.property(fc.array(choice, { maxLength: 20 }), (choices) => {
        const text = choices.map(({ code, label }) => `${code}, ${label}`).join(' | ');

        expect(parseChoices(text)).to.deep.equal(
          choices.map(({ code, label }) => ({ code, label: label.trim() })),
        );
      }),
    );
  });

  it('returns only trimmed codes and labels without separators, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '1', ' ', ',', '|', '\n', '"', 'é') }), (text) => {
        const choices = parseChoices(text);

        expect(choices.length).to.be.at.most(text.split('|').length);
        for (const { code, label } of choices) {
          expect(code)
            .to.match(/^[^|,]*$/)
            .and.equal(code.trim());
          expect(label)
            .to.match(/^[^|]*$/)
            .and.equal(label.trim());
        }
      }),
    );
  });

  for (const pump of ['|', ',', ' ', '1, A | ', 'a', '| ']) {
    it(`takes time linear in the length of a text of repeated ${JSON.stringify(pump)}`, () => {
      const text = pump.repeat(400_000 / pump.length);

      expect(cpuMsOf(() => parseChoices(text))).to.be.below(3_000);
    });
  }
});

describe('choicesOf', () => {
  const codes = (type: string, choicesOrCalculations = ''): string[] =>
    choicesOf({ type, choicesOrCalculations }).map(({ code, label }) => `${code}=${label}`);

  for (const type of ['radio', 'dropdown', 'checkbox']) {
    it(`reads the choices of a ${type} field`, () => {
      expect(codes(type, '1, A | 2, B')).to.deep.equal(['1=A', '2=B']);
    });
  }

  it('knows the choices of yesno and truefalse fields, which the design leaves blank', () => {
    expect([codes('yesno'), codes('truefalse')]).to.deep.equal([
      ['1=Yes', '0=No'],
      ['1=True', '0=False'],
    ]);
  });

  it('ignores choices written for a yesno field', () => {
    expect(codes('yesno', '7, Maybe')).to.deep.equal(['1=Yes', '0=No']);
  });

  for (const type of ['calc', 'slider', 'sql', 'text', 'something_new']) {
    it(`reads no choices from the formula, labels or query of a ${type} field`, () => {
      expect(codes(type, '[a] | [b], 1')).to.deep.equal([]);
    });
  }
});
