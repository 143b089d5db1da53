import { ReportExporter } from '../../services/reports/report-exporter.js';
import type { ExitCode } from '../exit-codes.js';
import { writeReport, type ReportArguments } from '../files/write-report.js';

export interface ReportCommandArguments extends ReportArguments {
  readonly id: number;
  readonly label: boolean;
  readonly spreadsheetSafe: boolean;
}

/** `crf report`. @returns the exit code */
export function runReport(options: ReportCommandArguments): Promise<ExitCode> {
  const { id, format, label, spreadsheetSafe } = options;
  return writeReport(options, {
    row: 'row',
    open: (client, signal, onRows) =>
      new ReportExporter(client).open(
        id,
        {
          format,
          spreadsheetSafe,
          onRows,
          hasEnvelope: false,
          ...(label && { rawOrLabel: 'label' as const }),
        },
        { signal },
      ),
  });
}
