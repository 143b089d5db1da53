import type { Instrument } from '../../gateways/redcap/crf-client.js';
import { defineCommand } from '../command.js';
import { ROW_OPTIONS } from '../options/shared-options.js';
import { type Column, printRows } from '../printing/table.js';

const COLUMNS: readonly Column<Instrument & { readonly fields: number }>[] = [
  { title: 'instrument', cell: ({ name }) => name },
  { title: 'fields', cell: ({ fields }) => String(fields) },
  { title: 'label', cell: ({ label }) => label },
];

export const command = defineCommand({
  args: ROW_OPTIONS,
  reads: async ({ client }, options, io) => {
    const [instruments, fields] = await Promise.all([client.instruments.export(), client.getMetadata()]);
    const rows = instruments.map((instrument) => ({
      ...instrument,
      fields: fields.filter((field) => field.instrument === instrument.name).length,
    }));
    printRows(rows, COLUMNS, options, io);
  },
});
