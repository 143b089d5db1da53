import { isAbsolute } from 'node:path';

/** Where the audit log goes. */
export type AuditLogTarget =
  { readonly kind: 'off' } | { readonly kind: 'stdout' } | { readonly kind: 'file'; readonly path: string };

/** @returns where `AUDIT_LOG` sends the audit log, or the rule that it breaks */
export function parseAuditLog(text: string): AuditLogTarget | string {
  if (text === 'off' || text === 'stdout') return { kind: text };
  const [, path = ''] = /^file:(.+)$/.exec(text) ?? [];
  if (isAbsolute(path)) return { kind: 'file', path };
  return 'must be off, stdout, or file: and an absolute path';
}

/**
 * What applies when nothing is said: in production it goes to standard output, where whoever runs the service
 * collects the log already; a trial on a laptop leaves no trace of its own.
 */
export function auditLogOf(values: {
  readonly AUDIT_LOG?: AuditLogTarget | undefined;
  readonly NODE_ENV: string;
}): AuditLogTarget {
  return values.AUDIT_LOG ?? { kind: values.NODE_ENV === 'production' ? 'stdout' : 'off' };
}
