import type { Field } from '../../dictionary/field.js';
import type { SandboxProject } from './project.js';

/**
 * Puts another data dictionary in place of a project's own. Instruments that stay keep their labels, their events and
 * their repeats; values of fields that are gone are kept, unseen, as a real server keeps them.
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

/** `clinical_assessment` becomes `Clinical Assessment`, as REDCap names a form that nobody has named. (inferred) */
function labelOf(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
