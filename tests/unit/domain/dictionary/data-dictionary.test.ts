import { expect } from 'chai';
import fc from 'fast-check';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import type { Field } from '../../../../src/domain/dictionary/field.js';
import { cpuMsOf } from '../../../support/cpu-ms-of.js';
import { someField } from '../../../support/some-field.js';

const columnNames = (fields: readonly Field[]): string[] =>
  new DataDictionary(fields).exportColumns().map(({ name }) => name);

describe('DataDictionary', () => {
  const fields = [
    someField('record_id', { instrument: 'base' }),
    someField('sites', {
      instrument: 'base',
      type: 'checkbox',
      choicesOrCalculations: '1, A | -99, B | Aa, C | 3dddd, D',
    }),
    someField('hint', { instrument: 'base', type: 'descriptive' }),
    someField('constructor', { instrument: 'visit' }),
    someField('score', { instrument: 'visit', type: 'calc', choicesOrCalculations: '1 + 1' }),
  ];
  const dictionary = new DataDictionary(fields);

  it('takes the first field as the record id field', () => {
    expect(dictionary.recordIdField?.name).to.equal('record_id');
  });

  it('lists the instruments once each, in order', () => {
    expect(dictionary.instruments).to.deep.equal(['base', 'visit']);
  });

  it('finds fields by name, but not the properties that every object inherits', () => {
    expect(dictionary.field('constructor')).to.equal(fields[3]);
    expect(dictionary.field('toString')).to.be.undefined;
    expect(dictionary.column('hasOwnProperty')).to.be.undefined;
    expect(dictionary.column('__proto__')).to.be.undefined;
  });

  it('gives a checkbox one column per choice, an instrument its status and a descriptive field none', () => {
    expect(dictionary.exportColumns().map(({ name }) => name)).to.deep.equal([
      'record_id',
      'sites___1',
      'sites____99',
      'sites___aa',
      'sites___3dddd',
      'base_complete',
      'constructor',
      'score',
      'visit_complete',
    ]);
  });

  it('links each column to its field, choice and instrument', () => {
    expect(dictionary.column('sites____99')).to.deep.equal({
      name: 'sites____99',
      instrument: 'base',
      field: fields[1],
      choice: { code: '-99', label: 'B' },
    });
    expect(dictionary.column('visit_complete')).to.deep.equal({
      name: 'visit_complete',
      instrument: 'visit',
      field: undefined,
      choice: undefined,
    });
    expect(dictionary.column('sites'), 'the base name is no column').to.be.undefined;
  });

  it('works without fields', () => {
    const empty = new DataDictionary([]);

    expect(empty.recordIdField).to.be.undefined;
    expect(empty.exportColumns()).to.deep.equal([]);
    expect(empty.validateValue('age', 'x')).to.be.undefined;
  });

  it('returns the columns of an instrument together, wherever its fields are', () => {
    const scattered = ['one', 'two', 'one', 'two'].map((instrument, index) =>
      someField(`f${index}`, { instrument }),
    );

    expect(columnNames(scattered)).to.deep.equal(['f0', 'f2', 'one_complete', 'f1', 'f3', 'two_complete']);
  });

  it('parses the choices of a field once', () => {
    const [, sites] = fields;
    if (sites === undefined) throw new Error('no field');

    expect(dictionary.choices(sites)).to.equal(dictionary.choices(sites));
    expect(dictionary.choices(sites).map(({ code }) => code)).to.deep.equal(['1', '-99', 'Aa', '3dddd']);
  });

  it('is built in time linear in the number of fields and instruments', () => {
    const many = Array.from({ length: 60_000 }, (_, index) =>
      someField(`f${index}`, { instrument: `visit_${index}` }),
    );

    // Searching all fields for each instrument would take more than ten seconds.
    expect(cpuMsOf(() => new DataDictionary(many))).to.be.below(3_000);
  });

  it('is created once for the fields of one answer, even from a copy of the list', () => {
    const known = DataDictionary.of(fields);
    const other = [...fields.slice(0, -1), someField('other', { instrument: 'base' })];

    expect(DataDictionary.of([...fields])).to.equal(known);
    expect(DataDictionary.of(fields.slice(0, 1)).fields).to.deep.equal(fields.slice(0, 1));
    expect(DataDictionary.of(other).field('other')).to.equal(other.at(-1));
    expect(DataDictionary.of([]).recordIdField).to.equal(undefined);
  });

  it('gives unique column names, finds each column by its name and ends each instrument with its status', () => {
    const field = fc.record({
      name: fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/),
      type: fc.constantFrom('text', 'checkbox', 'descriptive', 'radio', 'new_type'),
      instrument: fc.constantFrom('one', 'two'),
      codes: fc.array(fc.stringMatching(/^[A-Za-z0-9-]{1,3}$/), { minLength: 1, maxLength: 4 }),
    });
    const design = fc.uniqueArray(field, { selector: ({ name }) => name, maxLength: 20 });
    fc.assert(
      fc.property(design, (definitions) => {
        const made = definitions.map(({ name, codes, ...rest }) =>
          someField(name, { ...rest, choicesOrCalculations: codes.map((code) => `${code}, x`).join('|') }),
        );
        const names = columnNames(made);
        const random = new DataDictionary(made);

        expect(new Set(names).size).to.equal(names.length);
        for (const name of names) expect(random.column(name)?.name).to.equal(name);
        for (const instrument of random.instruments) {
          const last = random.exportColumns().findLast((column) => column.instrument === instrument);
          expect(last?.name).to.equal(`${instrument}_complete`);
        }
      }),
    );
  });
});
