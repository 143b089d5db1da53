import { fileWriter, ParquetWriter, type ParquetWriteOptions } from 'hyparquet-writer';
import type { ColumnType, SqlColumn, TableRows } from './sql-database.js';

type SchemaElement = NonNullable<ParquetWriteOptions['schema']>[number];

/** The rows that are held in memory at a time. */
const ROW_GROUP = 10_000;

/** Writes a table as a Parquet file. */
export default async function writeParquet(
  path: string,
  columns: readonly SqlColumn[],
  rows: TableRows,
): Promise<void> {
  const file = new ParquetWriter({
    writer: fileWriter(path),
    schema: [
      { name: 'schema', num_children: columns.length },
      ...columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...ELEMENTS[type] })),
    ],
    createdBy: 'crf-service',
  });
  // Columns from the start: a row group of objects takes three times the memory.
  const group = columns.map(({ name, type }) => ({ name, type, values: [] as unknown[] }));
  const write = async (): Promise<void> => {
    const columnData = group.map(({ name, values }) => ({ name, data: values }));
    await file.write({ columnData, rowGroupSize: ROW_GROUP });
    for (const column of group) column.values = [];
  };
  let count = 0;
  for await (const row of rows) {
    for (const { name, type, values } of group) {
      const cell = row[name] ?? null;
      values.push(cell === null ? null : valueOf(cell, type));
    }
    if ((count += 1) % ROW_GROUP === 0) await write();
  }
  if (count % ROW_GROUP > 0 || count === 0) await write();
  await file.finish();
}

function valueOf(cell: string | number, type: ColumnType): unknown {
  switch (type) {
    case 'INTEGER':
      return BigInt(cell);
    case 'BOOLEAN':
      return cell === 1;
    case 'DATE':
      return Date.parse(`${cell}T00:00Z`) / 86_400_000;
    case 'TIMESTAMP':
      return BigInt(Date.parse(`${cell}Z`));
    default:
      return cell;
  }
}

/** Timestamps are without a time zone, because REDCap's are. */
const ELEMENTS: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  TEXT: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  TIME: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  INTEGER: { type: 'INT64' },
  REAL: { type: 'DOUBLE' },
  BOOLEAN: { type: 'BOOLEAN' },
  DATE: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  TIMESTAMP: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' } },
};
