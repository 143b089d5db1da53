/** What every command takes. */
export interface GlobalArguments {
  /** The sandbox, whatever the settings say. */
  sandbox: boolean;
  /** Nothing but what goes wrong. */
  quiet: boolean;
  /** More than usual. */
  verbose: boolean;
  /** Read in place of `.env`; several when it is given several times. */
  envFile: string | readonly string[] | undefined;
}

/** @returns the files of `--env-file` */
export function envFilesOf({ envFile }: Pick<GlobalArguments, 'envFile'>): readonly string[] | undefined {
  return typeof envFile === 'string' ? [envFile] : envFile;
}
