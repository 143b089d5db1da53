// Prints the tables of copies as PostgreSQL's COPY does: read-duckdb.mjs csv|parquet PLACE…
import { DuckDBInstance } from '@duckdb/node-api';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const ESCAPES = { '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' };
const cell = (value) =>
  value === null ? '\\N' : String(value).replace(/[\\\n\t\r]/g, (character) => ESCAPES[character]);

const [kind, ...places] = process.argv.slice(2);
const connection = await (await DuckDBInstance.create(':memory:')).connect();
for (const place of places) {
  process.stdout.write(`#place\t${place}\n`);
  for (const file of readdirSync(place)) {
    if (file.startsWith('_') || file.endsWith('.lines.csv') || !file.endsWith(`.${kind}`)) continue;
    const path = `'${join(place, file).replaceAll("'", "''")}'`;
    const source = kind === 'csv' ? `read_csv(${path}, all_varchar = true, header = true)` : path;
    const { columnNames, rows } = await connection
      .runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM ${source}`)
      .then((reader) => ({ columnNames: reader.columnNames(), rows: reader.getRows() }));
    process.stdout.write(`#table\t${file.slice(0, -kind.length - 1)}\n${columnNames.join('\t')}\n`);
    for (const row of rows) process.stdout.write(`${row.map(cell).join('\t')}\n`);
  }
}
