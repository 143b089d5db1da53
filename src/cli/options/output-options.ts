import { TEXT_ENCODINGS } from '../../domain/bytes/decode-text.js';

/** `--json` of a command that prints text otherwise. */
export const JSON_OPTION = {
  json: { type: 'boolean', default: false, describe: 'Print one JSON document' },
} as const;

/** `--json` of a command that prints messages beside it. */
export const JSON_ON_STDOUT = {
  json: { type: 'boolean', default: false, describe: 'Print one JSON document on stdout' },
} as const;

/** `--json` and `--csv` of a command that prints rows, as a table by default. */
export const ROW_OPTIONS = {
  ...JSON_OPTION,
  csv: { type: 'boolean', default: false, describe: 'Print CSV' },
} as const;

/** `--encoding` of a command that reads a text file. */
export const ENCODING_OPTION = {
  encoding: { choices: TEXT_ENCODINGS, describe: 'Text encoding of the file; default: utf-8' },
} as const;

/** `--yes` of a command that asks for confirmation before an irreversible change. */
export const YES = {
  yes: {
    alias: 'y',
    type: 'boolean',
    default: false,
    describe: 'Do not ask for confirmation; required without a terminal',
  },
} as const;

/** `--output` of a command whose file appears when it is complete. @param what the command writes: `export` */
export function completeFileOption(what: 'export' | 'report' | 'document') {
  return {
    alias: 'o',
    type: 'string',
    requiresArg: true,
    describe: `Write to this file; it appears when the ${what} is complete`,
  } as const;
}

/** `--by-site` of a command that lists what a site has to do. */
export const bySiteOption = {
  type: 'string',
  requiresArg: true,
  conflicts: ['output', 'format'],
  describe: 'Write a workbook (.xlsx) for each data access group to this folder, with labels',
} as const;

/** `--output` and `--force` of a command that saves a file of REDCap under its own name. */
export function savedFileOptions(what: 'file' | 'document') {
  return {
    output: {
      alias: 'o',
      type: 'string',
      requiresArg: true,
      describe: `Write to this file, or to stdout (-); default: the name of the ${what}, in this folder`,
    },
    force: { type: 'boolean', default: false, describe: 'Replace a file of this name' },
  } as const;
}
