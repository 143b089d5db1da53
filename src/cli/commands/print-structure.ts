import { toDictionaryCsv } from '../../domain/dictionary/dictionary-csv.js';
import type { Field } from '../../domain/dictionary/field.js';
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

/** Prints the data dictionary; as CSV in REDCap's own form, which `crf sandbox --dictionary` reads. */
export async function printFields(form: FormArguments): Promise<void> {
  await withClient(form, async ({ client }) => {
    const fields = await client.getMetadata();
    if (form.csv) process.stdout.write(toDictionaryCsv(fields));
    else printRows(fields, { table: FIELDS }, form);
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
