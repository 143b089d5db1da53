import type { SandboxProject } from '../project.js';

/**
 * The greatest whole number among the record names plus one; names that are none count as nothing. In a data access group
 * the number follows the group's own: `20-1`. (doc, client)
 *
 * @param group the unique name of the caller's group, or empty
 */
export function nextRecordName(project: SandboxProject, group = ''): string {
  const prefix = group === '' ? '' : `${project.group(group)?.id ?? 0}-`;
  const numbers = project.records.ids
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((rest) => /^\d{1,15}$/.test(rest))
    .map(Number);
  return `${prefix}${numbers.reduce((greatest, number) => Math.max(greatest, number), 0) + 1}`;
}
