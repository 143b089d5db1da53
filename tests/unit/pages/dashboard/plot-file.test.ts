import { expect } from 'chai';
import { SaxesParser } from 'saxes';
import { plotAsSvg } from '../../../../src/pages/dashboard/plot-file.js';
import { dagsPlot } from '../../../../src/pages/dashboard/study-plots.js';
import { LANGUAGES } from '../../../../src/pages/texts/texts.js';

describe('plotAsSvg', () => {
  it('returns well-formed XML whatever the labels contain', () => {
    const label = 'S \u000b\u0001 <&"\'> عين 😀';
    const plot = dagsPlot(LANGUAGES.en, [
      { dag: 'north', label, records: 3, complete: null, forms: null, daysToEntry: null },
    ]);
    const svg = plot === undefined ? '' : plotAsSvg(plot);
    const texts: string[] = [];
    const parser = new SaxesParser();
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('text', (text) => texts.push(text));

    parser.write(svg).close();

    expect(texts).to.include('S  <&"\'> عين 😀');
  });
});
