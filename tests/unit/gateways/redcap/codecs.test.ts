import { expect } from 'chai';
import fc from 'fast-check';
import { toErrorBody } from '../../../../src/gateways/redcap/error-text.js';
import { CSV_FORM, JSON_FORM } from '../../../../src/gateways/redcap/export-form.js';
import { toRecordProblems } from '../../../../src/gateways/redcap/import-rejection.js';
import { toRetryAfterSeconds } from '../../../../src/gateways/redcap/classify-answer.js';
import { cpuMsOf } from '../../../support/cpu-ms-of.js';

describe('toRecordProblems', () => {
  const cell = fc.string({ unit: fc.constantFrom('"', ',', '\n', 'a', ' ', 'é', "'") });

  it('reads every line, whatever quotes, commas and line breaks its cells contain', () => {
    const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell, cell), { minLength: 1 }), (lines) => {
        const text = lines.map((cells) => cells.map(quoted).join(',')).join('\n');

        expect(toRecordProblems(text).map(({ record = '', field }) => [record, field])).to.deep.equal(
          lines.map(([record, field]) => [record, field]),
        );
      }),
    );
  });

  it('finds nothing in any other text, in time linear in its length', () => {
    // Quadratic time would be minutes.
    const quotes = '"'.repeat(1_000_000);

    expect(cpuMsOf(() => expect(toRecordProblems(quotes)).to.deep.equal([]))).to.be.below(5_000);
    expect(toRecordProblems('The value is not valid')).to.deep.equal([]);
  });
});

describe('toRetryAfterSeconds', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const cases: readonly (readonly [header: string | undefined, seconds: number | undefined])[] = [
    [undefined, undefined],
    ['0', 0],
    [' 120 ', 120],
    ['Fri, 20 Nov 2026 12:01:30 GMT', 90],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['999999999', 86_400],
    ['soon', undefined],
  ];
  for (const [header, seconds] of cases) {
    it(`reads ${JSON.stringify(header)} as ${seconds}`, () => {
      expect(toRetryAfterSeconds(header, now)).to.equal(seconds);
    });
  }
});

describe('toErrorBody', () => {
  it('reads what it can from a truncated error', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\\', '"', '\n', 'é', '\u0001', 'u'), minLength: 1 });
    const written = (error: string): string =>
      JSON.stringify({ error }).replaceAll('é', '\\u00e9').slice(0, -2);
    fc.assert(
      fc.property(text, fc.nat(), (error, at) => {
        const start = '{"error":"'.length;
        const cut = written(error).slice(0, start + (at % (written(error).length - start)));
        const parts = Array.from({ length: error.length }, (_, length) => error.slice(0, length));

        const whole = parts.findLast((part) => cut.startsWith(written(part)));
        expect(toErrorBody(cut)).to.deep.equal({ kind: 'error', text: whole });
      }),
      { numRuns: 500 },
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (body) => void toErrorBody(body)));
  });

  for (const part of ['<', '<a', '<script>', '<style ', '</', '<!--', '{"error":', ' '])
    it(`takes linear time for a page of ${part} again and again`, () => {
      expect(cpuMsOf(() => toErrorBody(`<p>${part.repeat(100_000)}`))).to.be.below(1000);
    });

  for (const body of [
    '{"error":"a <b> & c"}',
    'ERROR: a <b> & c',
    '<?xml version="1.0" encoding="UTF-8" ?><hash><error>a &lt;b&gt; &amp; c</error></hash>',
    'error: a <b> & c',
    '<?xml version="1.0"?><hash><error><![CDATA[a <b> & c]]></error></hash>',
  ]) {
    it(`finds REDCap's message in ${body.slice(0, 30)}`, () => {
      expect(toErrorBody(body)).to.deep.equal({ kind: 'error', text: 'a <b> & c' });
    });
  }
});

describe('ExportForm', () => {
  it('JSON: judges the start of an answer the same, however it is split', () => {
    const body = fc.constantFrom('[{"a":"1"}]', ' [ ]', '{"error":"x"}', '<html>', 'plain', '', '[x');
    fc.assert(
      fc.property(body, (text) => {
        const whole = JSON_FORM.judgeStart(text, true);
        const steps = Array.from({ length: text.length + 1 }, (_, length) =>
          JSON_FORM.judgeStart(text.slice(0, length), false),
        );
        const decided = steps.find((verdict) => verdict !== 'more');
        if (decided !== undefined) expect(decided).to.equal(whole);
      }),
    );
  });

  for (const second of ['[]', '[{"a":"1"}]', '<br>', ',']) {
    it(`JSON: refuses ${second} after an empty array`, () => {
      expect(JSON_FORM.judgeStart('[]\n', false)).to.equal('more');
      expect(JSON_FORM.judgeStart(`[]\n${second}`, true)).to.equal('odd');
    });
  }

  it('CSV: accepts any header of field names, and long headers before their end', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,30}$/);
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 50 }),
        fc.constantFrom(',', ';', '\t', '|', '^'),
        (names, delimiter) => {
          expect(CSV_FORM.judgeStart(`${names.join(delimiter)}\n`, false)).to.equal('data');
        },
      ),
    );
    expect(CSV_FORM.judgeStart('a_name,'.repeat(1_000), false)).to.equal('data');
  });

  for (const [tail, isMarked, code] of [
    ['[]', true, undefined],
    ['"}]\n ', false, undefined],
    ['"},', true, 'upstream_invalid'],
    ['"},', false, 'upstream_unavailable'],
    ['"x]', false, 'upstream_unavailable'],
    ['"}][]', true, 'upstream_invalid'],
  ] as const) {
    it(`JSON: judges the end ${JSON.stringify(tail)} with${isMarked ? '' : 'out'} a marked end as ${code ?? 'valid'}`, () => {
      expect(JSON_FORM.judgeEnd(tail, isMarked)?.code).to.equal(code);
    });
  }
});
