import type { SandboxProject } from '../project.js';

/** The greatest whole number among the record names plus one; names that are none count as nothing. (doc, client) */
export function nextRecordName(project: SandboxProject): string {
  const numbers = project.records.ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number);
  return String(numbers.reduce((greatest, number) => Math.max(greatest, number), 0) + 1);
}
