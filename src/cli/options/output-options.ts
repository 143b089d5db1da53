/** `--output` of a command whose file appears when it is complete. @param what the command writes: `export` */
export function completeFileOption(what: 'export' | 'report' | 'document') {
  return {
    alias: 'o',
    type: 'string',
    requiresArg: true,
    describe: `Write to this file; it appears when the ${what} is complete`,
  } as const;
}

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
