import type { Environment } from './secret-files.js';

/** Whether the process runs in production, for code that needs no other setting. */
export function isProduction(environment: Environment = process.env): boolean {
  return environment.NODE_ENV?.trim() === 'production';
}
