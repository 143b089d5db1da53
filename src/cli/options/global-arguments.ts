/** The options of all commands. */
export interface GlobalArguments {
  /** Use the sandbox, whatever the settings. */
  sandbox: boolean;
  /** Print only errors and warnings. */
  quiet: boolean;
  /** Print more details. */
  verbose: boolean;
  /** Files to read instead of `.env`. The option can be repeated. */
  envFile: string | readonly string[] | undefined;
  /** A YAML file of projects. */
  projectsFile: string | undefined;
  /** The name of a project in it. `crf sandbox` has an option of this name of its own. */
  project: string | undefined;
}

/** @returns the files of `--env-file` */
export function envFilesOf({ envFile }: Pick<GlobalArguments, 'envFile'>): readonly string[] | undefined {
  return typeof envFile === 'string' ? [envFile] : envFile;
}
