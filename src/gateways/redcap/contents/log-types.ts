/**
 * The log types that `logtype` selects. `record` includes every change to a record.
 *
 * @see docs/protocol/redcap.md 13.2 (client)
 */
export const LOG_TYPES = [
  'export',
  'manage',
  'user',
  'record',
  'record_add',
  'record_edit',
  'record_delete',
  'lock_record',
  'page_view',
] as const;

export type LogType = (typeof LOG_TYPES)[number];
