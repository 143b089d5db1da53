import { isAbsolute } from 'node:path';

/** The destination of the audit log. */
export type AuditLogTarget =
  { readonly kind: 'off' } | { readonly kind: 'stdout' } | { readonly kind: 'file'; readonly path: string };

/** Parses `AUDIT_LOG`. @returns the destination, or an error message */
export function parseAuditLog(text: string): AuditLogTarget | string {
  if (text === 'off' || text === 'stdout') return { kind: text };
  const [, path = ''] = /^file:(.+)$/.exec(text) ?? [];
  if (isAbsolute(path)) return { kind: 'file', path };
  return 'must be off, stdout, or file: and an absolute path';
}

/**
 * Returns the destination of the audit log. By default it is standard output in production, where operators already
 * collect logs, and off otherwise.
 */
export function auditLogOf(values: {
  readonly AUDIT_LOG?: AuditLogTarget | undefined;
  readonly NODE_ENV: string;
}): AuditLogTarget {
  return values.AUDIT_LOG ?? { kind: values.NODE_ENV === 'production' ? 'stdout' : 'off' };
}
