import { expect } from 'chai';
import { valueForm, type RawValueArguments } from '../../../../src/cli/options/export-options.js';

const NONE: RawValueArguments = {
  rawOrLabel: undefined,
  rawOrLabelHeaders: undefined,
  exportCheckboxLabel: false,
  spreadsheetSafe: false,
  excel: false,
  csvDelimiter: undefined,
  decimalCharacter: undefined,
};

describe('valueForm', () => {
  it('leaves REDCap its defaults without options', () => {
    const { spreadsheetSafe, ...form } = valueForm(NONE);

    expect(spreadsheetSafe).to.equal(false);
    expect(Object.values(form)).to.deep.equal([undefined, undefined, undefined, undefined, undefined]);
  });

  it('writes --excel with semicolons and decimal commas where people write 1,5', () => {
    expect(valueForm({ ...NONE, excel: true }, 'de-DE')).to.deep.equal({
      rawOrLabel: 'label',
      rawOrLabelHeaders: 'label',
      exportCheckboxLabel: true,
      csvDelimiter: ';',
      decimalCharacter: ',',
      spreadsheetSafe: true,
    });
  });

  it('writes --excel with commas and decimal points where people write 1.5', () => {
    expect(valueForm({ ...NONE, excel: true }, 'en-US')).to.include({
      csvDelimiter: ',',
      decimalCharacter: '.',
    });
  });

  it('lets the delimiter and the decimal character that are given come before those of the locale', () => {
    const form = valueForm({ ...NONE, excel: true, csvDelimiter: 'tab', decimalCharacter: '.' }, 'de-DE');

    expect(form).to.include({ csvDelimiter: 'tab', decimalCharacter: '.' });
  });
});
