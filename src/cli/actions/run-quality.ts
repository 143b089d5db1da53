import type { QualityRule } from '../../services/quality/quality-finding.js';
import { QualityReport } from '../../services/quality/quality-report.js';
import { QualityService } from '../../services/quality/quality-service.js';
import type { QualitySummary } from '../../services/quality/quality-tally.js';
import type { RowFormat } from '../../services/row-output/row-format.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { exportFormat } from '../options/file-format.js';
import { outputFile } from '../options/hyphens.js';
import { toIds, toList } from '../options/list-option.js';
import { printFindings } from '../printing/print-findings.js';
import { summaryOfFindings } from '../printing/summary-of-findings.js';
import { writeReport, type ReportArguments } from '../files/write-report.js';

export interface QualityArguments extends Omit<ReportArguments, 'format'> {
  /** If neither a format nor a file is given, a terminal shows a table. */
  readonly format?: RowFormat;
  readonly forms?: readonly string[];
  readonly records?: readonly string[];
  readonly rules?: readonly QualityRule[];
}

/** Writes the findings about the stored data. @returns the exit code */
export async function runQuality(options: QualityArguments): Promise<ExitCode> {
  const { forms, records, rules } = options;
  const selection = { forms: toList(forms), records: toIds(records), rules };
  if (options.format === undefined && outputFile(options.output) === undefined && process.stdout.isTTY) {
    await printFindings(options, selection);
    return EXIT_CODES.ok;
  }
  const format = exportFormat(options.format, options.output);
  let summary: QualitySummary | undefined;
  const onSummary = (written: QualitySummary): void => void (summary = written);
  const request = { ...selection, format, hasEnvelope: false, onSummary };
  return writeReport(
    { ...options, format },
    {
      row: 'finding',
      open: (client, signal) => new QualityReport(new QualityService(client)).open(request, { signal }),
      onDone: () => {
        if (!options.quiet && summary !== undefined) process.stderr.write(summaryOfFindings(summary));
      },
    },
  );
}
