/** What separates whole numbers from decimals. */
export type DecimalCharacter = '.' | ',';

/** Groups of three digits may be separated by what is not the decimal character, a blank, or an apostrophe. */
const FORMS: Readonly<Record<DecimalCharacter, RegExp>> = {
  '.': /^([-+]?)(?:(\d{1,3}(?:,\d{3})+|\d{1,3}(?:[\u0020\u00A0\u202F]\d{3})+|\d{1,3}(?:['’]\d{3})+)|(\d*))(?:\.(\d+))?([eE][-+]?\d+)?$/,
  ',': /^([-+]?)(?:(\d{1,3}(?:\.\d{3})+|\d{1,3}(?:[\u0020\u00A0\u202F]\d{3})+|\d{1,3}(?:['’]\d{3})+)|(\d*))(?:,(\d+))?([eE][-+]?\d+)?$/,
};

/**
 * Converts a number as people write it to the stored form: with a decimal comma `1.234,5` to `1234.5`. An exponent stays.
 *
 * @param stored the decimal character of the field
 * @param places the decimals that the field needs: a spreadsheet makes 80 of 80.0
 * @returns undefined for what is no number with this decimal character
 */
export function toStoredNumber(
  text: string,
  decimal: DecimalCharacter,
  stored: DecimalCharacter,
  places = 0,
): string | undefined {
  const [match, sign = '', grouped = '', plain = '', decimals = '', exponent = ''] =
    FORMS[decimal].exec(text) ?? [];
  const whole = `${grouped.replace(/\D/g, '')}${plain}`;
  if (match === undefined || (whole === '' && decimals === '')) return undefined;
  const needed = decimals.padEnd(places, '0');
  return `${sign}${whole}${needed === '' ? '' : stored + needed}${exponent}`;
}
