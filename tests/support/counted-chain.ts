import { BLANK_FIELD, type Field } from '../../src/domain/dictionary/field.js';

/**
 * Calculations of which each reads the next, and the last one `[origin]`, and how often their formulas were read: what
 * looks at each of them once per field reads them millions of times.
 */
export function countedChain(
  length: number,
  origin: string,
  instrument: string,
): { readonly fields: readonly Field[]; readonly readings: () => number } {
  let readings = 0;
  const fields = Array.from({ length }, (_, at): Field => {
    const formula = `[${at === length - 1 ? origin : `link_${at + 1}`}] + 1`;
    return Object.defineProperty(
      { ...BLANK_FIELD, name: `link_${at}`, instrument, type: 'calc', choicesOrCalculations: '' },
      'choicesOrCalculations',
      {
        get: () => {
          readings += 1;
          return formula;
        },
      },
    );
  });
  return { fields, readings: () => readings };
}
