import type { CallOptions } from '../../gateways/redcap/crf-client.js';
import type { RecordsBody } from '../formats/rows-answer.js';
import type { RecordExporter } from '../export/record-exporter.js';
import type { ExportOpener } from '../export/record-pager.js';
import type { TypedExporter, TypedExportRequest } from './typed-exporter.js';

/** Chooses the exporter by `values`: REDCap's bytes unchanged, or rows with typed values. */
export class ValueExporter implements ExportOpener {
  constructor(
    private readonly raw: RecordExporter,
    private readonly typed: TypedExporter,
  ) {}

  open(request: TypedExportRequest, call?: CallOptions): Promise<RecordsBody> {
    const { values, labels, missing, ...plain } = request;
    const isRaw = values !== 'typed' && labels === undefined && missing === undefined;
    return isRaw ? this.raw.open(plain, call) : this.typed.open(request, call);
  }

  openEmpty(request: TypedExportRequest): RecordsBody | Promise<RecordsBody> {
    const { values, ...plain } = request;
    return values === 'typed' ? this.typed.openEmpty(request) : this.raw.openEmpty(plain);
  }
}
