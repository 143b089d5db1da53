import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PostgresServer } from '../support/postgres-server.js';
import { readDump, type Losses, type ReadTables } from './cells.js';

/** The forms of a copy. */
export type Target = 'sqlite' | 'csv' | 'parquet' | 'postgres';

/** A program that reads copies of one kind. */
export interface Reader {
  readonly name: string;
  readonly target: Target;
  readonly losses?: Losses;
  /** Reads copies at once, since programs start slowly. */
  readonly read: (places: readonly string[]) => ReadonlyMap<string, ReadTables>;
}

function run(program: string, args: readonly string[], cwd?: string): string {
  const { PATH = '' } = process.env;
  return execFileSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { PATH, LANG: 'C.UTF-8', TZ: 'Europe/Berlin' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  });
}

const scriptOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const inR = (kind: string, places: readonly string[]): ReadonlyMap<string, ReadTables> =>
  readDump(run('Rscript', ['--vanilla', scriptOf('read.R'), kind, ...places]));

/** The first may be one that has no packages of the distribution. */
const PYTHONS = ['python3', '/usr/bin/python3'];

function inPython(kind: string, places: readonly string[], pythons = PYTHONS): ReturnType<typeof readDump> {
  const [python = '', ...others] = pythons;
  try {
    return readDump(run(python, [scriptOf('read.py'), kind, ...places]));
  } catch (error) {
    if (others.length === 0 || !isNotInstalled(error)) throw error;
    return inPython(kind, places, others);
  }
}

/** Whether a program is there, and a package that it needs is not. */
export function isNotInstalled(error: unknown): boolean {
  return error instanceof Error && /No module named|there is no package called/.test(error.message);
}

/** Runs the syntax files of folders, and saves their datasets, as a user of SPSS does. */
function savedByPspp(places: readonly string[]): readonly string[] {
  for (const place of places) {
    const syntax = readFileSync(join(place, 'read.sps'), 'utf8');
    writeFileSync(
      join(place, 'save.sps'),
      syntax.replace(/DATASET NAME (\w+)\./g, "$&\nSAVE OUTFILE='$1.sav'."),
    );
    run('pspp', ['--no-output', '-b', 'save.sps'], place);
  }
  return places;
}

/** Returns the label of a field and of one of its choices, as R has them after `read.R` and after PSPP. */
export function labelsIn(place: string, table: string, field: string, choice: string): readonly string[] {
  const script = `args <- commandArgs(TRUE)
    source("read.R", chdir = TRUE)
    saved <- haven::read_sav(paste0(args[1], ".sav"))[[args[2]]]
    data <- get(args[1])
    factor <- data[[paste0(args[2], ".factor")]]
    chosen <- factor[match(args[3], as.character(data[[args[2]]]))]
    labels <- attr(saved, "labels")
    writeLines(enc2utf8(c(attr(data[[args[2]]], "label"), as.character(chosen), attr(saved, "label"), names(labels)[labels == as.numeric(args[3])])), useBytes = TRUE)`;
  return run('Rscript', ['--vanilla', '-e', script, table, field, choice], place).trimEnd().split('\n');
}

export const READERS: readonly Reader[] = [
  {
    name: 'Python sqlite3',
    target: 'sqlite',
    read: (places) => inPython('sqlite', places),
  },
  { name: 'R DBI and RSQLite', target: 'sqlite', read: (places) => inR('sqlite', places) },
  { name: 'pandas', target: 'csv', read: (places) => inPython('csv', places) },
  {
    name: 'R with read.R',
    target: 'csv',
    losses: { carriageReturns: true },
    read: (places) => inR('csv', places),
  },
  {
    name: 'PSPP with read.sps, and R haven',
    target: 'csv',
    losses: { blanks: true, names: true },
    read: (places) => inR('sav', savedByPspp(places)),
  },
];

/** PostgreSQL's own client. */
export function psql(server: PostgresServer): Reader {
  const read = (url: string): string => {
    const schema =
      new URL(url.replace('postgres://crf@/', 'postgres://crf@host/')).searchParams.get('schema') ?? '';
    const tables = server
      .query(
        `SELECT table_name FROM information_schema.tables WHERE table_schema = '${schema}' AND table_type = 'BASE TABLE'`,
      )
      .filter((table) => !table.startsWith('_'));
    return tables
      .map(
        (table) =>
          `#table\t${table}\n${server.query(`COPY ${schema}."${table}" TO STDOUT WITH (HEADER)`).join('\n')}\n`,
      )
      .join('');
  };
  return {
    name: 'psql',
    target: 'postgres',
    read: (places) => readDump(places.map((place) => `#place\t${place}\n${read(place)}`).join('')),
  };
}
