import type * as z from 'zod';

/** What the value of a setting may depend on, besides what it is set to. */
export interface Circumstances {
  readonly isProduction: boolean;
  /** Whether no REDCap is configured. */
  readonly isSandbox: boolean;
  /** Whether calls need no credential. */
  readonly isOpen: boolean;
}

/** A setting as it is declared: once, for the environment, the options, the docs and `.env.example`. */
export interface Setting<Option extends string = string, Value = unknown> {
  /**
   * Where it is in the settings. This is the option that it sets: `app` has the options of `createApp`, `project` those
   * of each project, `client` those of `createCrfClient`, `auth` of `createAuthService`, `http` of `createHttpServer`.
   */
  readonly option: Option;
  /** Parses the text. Every error message completes a sentence that begins with the name, and contains no value. */
  readonly type: z.ZodType;
  /** Makes the option of what was parsed. */
  readonly toOption: (parsed: never, circumstances: Circumstances) => Value;
  /** What it is for, in one or two sentences of Markdown. */
  readonly text: string;
  /** What applies if it is unset, in words; by default that of the type, or none. */
  readonly unset?: string;
  /** A valid value for `.env.example`; by default that of the type. */
  readonly example?: string;
  /** Whether the value is never shown, and can also be read from the file named by `<NAME>_FILE`. */
  readonly isSecret?: boolean;
}

/** Declares a setting. */
export function setting<const Option extends string, Type extends z.ZodType, Value = z.output<Type>>(
  option: Option,
  type: Type,
  about: Omit<Setting, 'option' | 'type' | 'toOption'> & {
    /** The value as it is by default. */
    readonly toOption?: (parsed: z.output<Type>, circumstances: Circumstances) => Value;
  },
): Setting<Option, Value> {
  return { toOption: (parsed: z.output<Type>) => parsed as unknown as Value, ...about, option, type };
}

type Nested<Option extends string, Value> = Option extends `${infer Group}.${infer Rest}`
  ? { readonly [Name in Group]: Nested<Rest, Value> }
  : { readonly [Name in Option]: Value };

type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  member: infer All,
) => void
  ? All
  : never;

type OptionOf<Declared> = Declared extends Setting<infer Option, infer Value> ? Nested<Option, Value> : never;

/** The options that a table of settings declares, as the tree that their names tell. */
export type OptionsOf<Table> = Intersection<OptionOf<Table[keyof Table]>>;

/** Returns the options of values that were parsed. */
export function optionsOf<Table extends Readonly<Record<string, Setting>>>(
  table: Table,
  parsed: Readonly<Record<string, unknown>>,
  circumstances: Circumstances,
): OptionsOf<Table> {
  const options: Record<string, unknown> = {};
  for (const [name, { option, toOption }] of Object.entries(table)) {
    const path = option.split('.');
    const last = path.pop() ?? '';
    let group = options;
    for (const each of path) group = (group[each] ??= {}) as Record<string, unknown>;
    group[last] = toOption(parsed[name] as never, circumstances);
  }
  return options as OptionsOf<Table>; // the type says what the loop does
}
