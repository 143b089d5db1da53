import type { Instrument } from '../../gateways/redcap/crf-client.js';
import { defineCommand } from '../command.js';
import { ROW_OPTIONS } from '../options/shared-options.js';
import { type Column, columnsOf, printRows } from '../printing/table.js';

type InstrumentRow = Instrument & { readonly fields: number };

const COLUMNS: readonly Column<InstrumentRow>[] = [
  { title: 'instrument', cell: ({ name }) => name },
  ...columnsOf<InstrumentRow>('fields', 'label'),
];

export const command = defineCommand({
  args: ROW_OPTIONS,
  reads: async ({ client }, options, io) => {
    const [instruments, fields] = await Promise.all([client.instruments.list(), client.fields.list()]);
    const rows = instruments.map((instrument) => ({
      ...instrument,
      fields: fields.filter((field) => field.instrument === instrument.name).length,
    }));
    printRows(rows, COLUMNS, options, io);
  },
});
