import type { WireParameters } from './wire-parameters.js';

/**
 * Returns what callers call a parameter, or a column of the rows they send, that has another name in REDCap's API:
 * problems name what was given. A name that is the same in both is returned unchanged.
 */
export function callerNameOf(wireName: string, { action }: WireParameters): string {
  if (wireName === 'folder_id' && action === 'createFolder') return 'parent';
  return NAMES.get(wireName) ?? wireName;
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['beginTime', 'from'],
  ['compactDisplay', 'compact'],
  ['dag_id', 'dagId'],
  ['delete_logging', 'deleteLogging'],
  ['doc_id', 'documentId'],
  ['endTime', 'to'],
  ['event_name', 'uniqueEventName'],
  ['folder_id', 'folder'],
  ['logtype', 'type'],
  ['new_record_name', 'newName'],
  ['override', 'isReplacement'],
  ['purpose_other', 'purposeOther'],
  ['randomization_id', 'randomizationId'],
  ['repeat_instance', 'repeatInstance'],
  ['report_id', 'reportId'],
  ['returnMetadataOnly', 'metadataOnly'],
  ['role_id', 'roleId'],
  ['unique_role_name', 'uniqueName'],
]);
