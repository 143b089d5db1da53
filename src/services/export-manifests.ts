import { Writable } from 'node:stream';
import { ProblemError } from '../domain/errors/problem-error.js';
import { heard } from '../domain/bytes/heard.js';
import type { CountedExport } from '../policy/counted-export.js';
import type { ExportManifest } from '../policy/deidentify/manifest.js';
import type { AuditedOptions } from '../records/audit-notes.js';
import { RecordExporter, type ExportClient, type ExportRequest } from '../records/export/record-exporter.js';
import { thisProgram } from './this-program.js';

export type { ExportManifest };

/** A client that counts what de-identification changes in the next export. */
export interface CountingClient extends Pick<CountedExport, 'manifest'> {
  readonly client: ExportClient;
}

/** Describes exports that are de-identified. */
export class ExportManifests {
  /** @param counting returns another client for each export; undefined where values are shown as they are */
  constructor(private readonly counting: () => CountingClient | undefined = () => undefined) {}

  /**
   * Reads what an export would have, and returns what de-identification does to it.
   *
   * @throws {ProblemError} `not_deidentified`: the caller gets values as they are
   * @throws {CrfError} errors of `RecordExporter.open`
   */
  async describe(
    selection: Omit<ExportRequest, 'format'>,
    call: AuditedOptions = {},
  ): Promise<ExportManifest> {
    const counting = this.counting();
    if (counting === undefined) throw new ProblemError('not_deidentified');
    const { client, manifest } = counting;
    let rows = 0;
    const onRows = (count: number): void => void (rows = count);
    const body = await new RecordExporter(client).open({ ...selection, format: 'json', onRows }, call);
    await body.pipeTo(heard(new Writable({ write: (_chunk, _encoding, done) => done() })));
    return manifest({ rows, selection, program: await thisProgram() }, call);
  }
}
