/** An environment variable, as listed in the docs. */
export interface EnvironmentVariable {
  readonly name: string;
  /** One or two sentences. */
  readonly description: string;
  /** What applies if it is unset, in words; without it, the default of the schema. */
  readonly default?: string;
  /** A valid value for `.env.example`. */
  readonly example: string;
  /** Whether the value is never shown, and can also be read from the file named by `<NAME>_FILE`. */
  readonly isSecret?: boolean;
}

/** Variables about one subject: a section of the docs. */
export interface VariableTopic {
  /** The heading of the section. */
  readonly topic: string;
  readonly variables: readonly EnvironmentVariable[];
}
