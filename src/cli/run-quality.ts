import { QualityReport } from '../services/quality/quality-report.js';
import type { QualityRule } from '../services/quality/quality-finding.js';
import { QualityService } from '../services/quality/quality-service.js';
import type { ExitCode } from './exit-codes.js';
import { toIds, toList } from './list-option.js';
import { writeReport, type ReportArguments } from './write-report.js';

export interface QualityArguments extends ReportArguments {
  readonly forms?: readonly string[];
  readonly records?: readonly string[];
  readonly rules?: readonly QualityRule[];
}

/** Writes what is wrong with the stored data. @returns the exit code */
export function runQuality(options: QualityArguments): Promise<ExitCode> {
  const { format, forms, records, rules } = options;
  const request = { format, forms: toList(forms), records: toIds(records), rules, hasEnvelope: false };
  return writeReport(options, {
    row: 'finding',
    open: (client, signal) => new QualityReport(new QualityService(client)).open(request, { signal }),
  });
}
