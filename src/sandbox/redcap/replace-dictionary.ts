import type { Field } from '../../domain/dictionary/field.js';
import type { SandboxProject } from './project.js';

/**
 * Replaces the data dictionary of a project. Instruments that remain keep their labels, events and repeats. Values of
 * removed fields stay stored but are not exported, as on a real server.
 *
 * @see docs/protocol/redcap.md 8.8 (doc, issue)
 */
export function replaceDictionary(project: SandboxProject, fields: readonly Field[]): void {
  const names = [...new Set(fields.map(({ instrument }) => instrument))];
  const isKept = ({ instrument }: { readonly instrument: string }): boolean =>
    instrument === '' || names.includes(instrument);
  const { study } = project;
  project.redesign({
    fields,
    instruments: names.map((name) => ({ name, label: project.instrument(name)?.label ?? labelOf(name) })),
    mappings: study.mappings.filter(isKept),
    repeating: study.repeating.filter(isKept),
    surveys: study.surveys?.filter(isKept),
  });
}

/**
 * Makes a label like REDCap does for instruments without one: `clinical_assessment` is `Clinical Assessment`.
 * (inferred)
 */
function labelOf(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
