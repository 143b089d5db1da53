import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ChangeEngine } from '../../src/sync/change-engine.js';
import { openCopy, type CopyTarget } from '../../src/sync/open-copy.js';
import { verifyCopy } from '../../src/sync/verify-copy.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { startSandboxClient } from '../support/sandbox-client.js';
import type { Target } from './readers.js';

/** Where the copies of a project are. */
export type Copies = Readonly<Record<Target, string>>;

/** Copies a project in every form. @returns where they are, and how many cells differ from an export */
export async function makeCopies(
  study: Study,
  folder: string,
  postgres: string,
): Promise<{ readonly copies: Copies; readonly differences: number }> {
  mkdirSync(folder);
  const copies = {
    sqlite: join(folder, 'study.db'),
    csv: join(folder, 'csv'),
    parquet: join(folder, 'parquet'),
    postgres,
  };
  const started = await startSandboxClient(study);
  const { client } = started;
  let differences = 0;
  try {
    const [idField] = await client.fields.list();
    for (const [kind, place] of Object.entries(copies)) {
      const copy = await openCopy({ kind: kind as CopyTarget['kind'], place });
      try {
        await new ChangeEngine(client, copy).look();
        differences += (await verifyCopy(client, copy, idField?.name ?? '')).length;
        await copy.database.publish();
      } finally {
        await copy.database.close();
      }
    }
  } finally {
    await started.close();
  }
  return { copies, differences };
}
