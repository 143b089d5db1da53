import { toDictionaryCsv } from '../../domain/dictionary/dictionary-csv.js';
import type { Field } from '../../domain/dictionary/field.js';
import { defineCommand } from '../command.js';
import { flag } from '../options/option.js';
import { JSON_OPTION } from '../options/shared-options.js';
import { type Column, printRows } from '../printing/table.js';

const COLUMNS: readonly Column<Field>[] = [
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
export const command = defineCommand({
  args: {
    ...JSON_OPTION,
    csv: flag("Print CSV in the format of REDCap's data dictionary"),
  },
  examples: { '$0 fields --csv > dictionary.csv': 'Save the data dictionary' },
  reads: async ({ client }, options, io) => {
    const fields = await client.getMetadata();
    return options.csv ? toDictionaryCsv(fields) : printRows(fields, COLUMNS, options, io);
  },
});
