import type { DataDictionary } from '../domain/dictionary/data-dictionary.js';
import type { CallOptions, CrfCalls } from '../gateways/redcap/crf-client.js';
import type { PolicyFiles } from './caller-views.js';
import { verdictsOf } from './deidentify/field-verdicts.js';
import { dictionaryDigest, manifestOf, type ExportManifest, type MadeExport } from './deidentify/manifest.js';
import { accessTo } from './policy-lock.js';
import type { ProjectView } from './project-view.js';
import { restrict } from './restrict.js';

/** An export under a policy that de-identifies, which counts the cells that it changes. */
export interface CountedExport {
  /** The calls of the view. Only a whole export is counted, and not one that was broken off. */
  readonly calls: CrfCalls;
  /** Describes what was exported with these calls. @throws {CrfError} what REDCap answers when it is asked for the fields */
  readonly manifest: (made: MadeExport, call?: CallOptions) => Promise<ExportManifest>;
}

/** @returns undefined for a view that shows values as they are */
export function countedExport(calls: CrfCalls, view: ProjectView): CountedExport | undefined {
  if (view.deidentify === undefined) return undefined;
  const deidentify = { ...view.deidentify, met: new Map<string, number>() };
  const shown = restrict(calls, { ...view, deidentify });
  return {
    calls: shown,
    manifest: async (made, call) => manifestOf(view.policy, deidentify, await shown.fields.list(call), made),
  };
}

/** The manifest for whoever runs the service: it also has what, to the caller, does not exist. */
export interface WholeManifest extends ExportManifest {
  readonly digests: ExportManifest['digests'] & { readonly dictionary: string };
  /** The fields that de-identification hides on the forms that the policy grants, and why, as the end of a sentence. */
  readonly hidden: readonly { readonly field: string; readonly why: string }[];
}

/** Completes a manifest. @param dictionary of the whole project */
export function wholeManifest(
  made: ExportManifest,
  { set, lock }: PolicyFiles,
  { policy: name, fields }: ProjectView,
  dictionary: DataDictionary,
): WholeManifest {
  const policy = set.policies[name];
  const verdicts = policy && verdictsOf(policy, dictionary.fields, lock.identifying?.[name]);
  return {
    ...made,
    digests: { ...made.digests, dictionary: dictionaryDigest(dictionary.fields) },
    hidden: [...(verdicts ?? [])].flatMap(([field, verdict]) => {
      const isGranted = policy && accessTo(policy, dictionary.field(field)?.instrument ?? '') !== undefined;
      return isGranted && 'why' in verdict && !fields.has(field) ? [{ field, why: verdict.why }] : [];
    }),
  };
}
