/** Options and arguments that name a file; `-` stands for standard input or output. */
const FILES: readonly string[] = ['file', 'output'];

/**
 * yargs gives a lone `-` to commands below a command, and to options, as an empty text. This makes it a hyphen again; an
 * empty text that somebody gave, as an unset variable of a script, is refused by `refuseNamelessFiles`.
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

/** A file without a name is none: it was a variable that is not set. */
export function refuseNamelessFiles(values: Readonly<Record<string, unknown>>): true {
  const name = FILES.find((file) => values[file] === '');
  if (name === undefined) return true;
  throw new Error(`${name === 'file' ? 'The file' : `--${name}`} must be named: it is empty`);
}

/** @returns the file to write; undefined for standard output, which `-` stands for */
export function outputFile(output: string | undefined): string | undefined {
  return output === '-' ? undefined : output;
}
