/** Options and arguments that name a file, where `-` means standard input or output. */
const FILES: readonly string[] = ['file', 'output', 'report'];

/**
 * Restores a single `-`, which yargs passes to subcommands and options as an empty text. A text that was really empty,
 * such as an unset variable in a script, is refused by `refuseNamelessFiles`.
 *
 * @param args the command line
 */
export function restoreHyphens(args: readonly string[]): (values: Record<string, unknown>) => void {
  const hasHyphen = args.some((argument) => argument === '-' || /^--?[a-z-]+=-$/.test(argument));
  return (values) => {
    if (!hasHyphen) return;
    for (const name of FILES) if (values[name] === '') values[name] = '-';
  };
}

/** Refuses empty file names, which come from unset variables. */
export function refuseNamelessFiles(values: Readonly<Record<string, unknown>>): true {
  const name = FILES.find((file) => values[file] === '');
  if (name === undefined) return true;
  throw new Error(`${name === 'file' ? 'The file' : `--${name}`} must be named: it is empty`);
}

/** @returns the file to write; undefined for standard output (`-`) */
export function outputFile(output: string | undefined): string | undefined {
  return output === '-' ? undefined : output;
}
