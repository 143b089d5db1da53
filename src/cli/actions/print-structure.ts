import { DICTIONARY_COLUMNS, toDictionaryRow } from '../../dictionary/dictionary-csv.js';
import type { Field } from '../../dictionary/field.js';
import type { Instrument } from '../../gateways/redcap/crf-client.js';
import { withClient } from '../open-client.js';
import { printRows, type FormArguments } from '../printing/print-rows.js';
import type { Column } from '../printing/table.js';

const FIELDS: readonly Column<Field>[] = [
  { title: 'field', cell: ({ name }) => name },
  { title: 'instrument', cell: ({ instrument }) => instrument },
  {
    title: 'type',
    cell: ({ type, validationType }) => (validationType === '' ? type : `${type} (${validationType})`),
  },
  { title: 'required', cell: ({ isRequired }) => (isRequired ? 'yes' : '') },
  { title: 'label', cell: ({ label }) => label },
  { title: 'choices', cell: ({ choicesOrCalculations }) => choicesOrCalculations },
];

/** The columns of the data dictionary in REDCap's API, which `crf sandbox --dictionary` reads. */
const DICTIONARY: readonly Column<Field>[] = DICTIONARY_COLUMNS.map((title) => ({
  title,
  cell: (field) => toDictionaryRow(field)[title] ?? '',
}));

/** Prints the data dictionary. */
export async function printFields(form: FormArguments): Promise<void> {
  await withClient(form, async ({ client }) => {
    const fields = await client.getMetadata();
    printRows(fields, { table: FIELDS, csv: DICTIONARY }, form);
  });
}

interface CountedInstrument extends Instrument {
  readonly fields: number;
}

const INSTRUMENTS: readonly Column<CountedInstrument>[] = [
  { title: 'instrument', cell: ({ name }) => name },
  { title: 'fields', cell: ({ fields }) => String(fields) },
  { title: 'label', cell: ({ label }) => label },
];

/** Prints the instruments with their number of fields. */
export async function printInstruments(form: FormArguments): Promise<void> {
  await withClient(form, async ({ client }) => {
    const [instruments, fields] = await Promise.all([client.instruments.export(), client.getMetadata()]);
    const rows = instruments.map((instrument) => ({
      ...instrument,
      fields: fields.filter((field) => field.instrument === instrument.name).length,
    }));
    printRows(rows, { table: INSTRUMENTS, csv: INSTRUMENTS }, form);
  });
}
