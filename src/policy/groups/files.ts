import { NotInPolicyError } from '../../errors/access-errors.js';
import { RecordNotFoundError } from '../../errors/caller-errors.js';
import type { CallOptions, CrfCalls, FilePlace } from '../../gateways/redcap/crf-client.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { NO_RECORD } from '../hidden-names.js';
import type { ProjectView } from '../project-view.js';
import type { RecordExports } from '../record-exports.js';
import { refuse } from './refuse.js';

/** What exists nowhere. In place of what is hidden, REDCap is asked for it, so that both are refused alike. */
const NO_FIELD = 'not_in_this_view_f1f0c2d4';
const NO_EVENT = 'not_in_this_view_arm_9999';

/** The files of a view: those of its file fields. The numbers of documents are those of the whole server. */
export function filesOf(calls: CrfCalls, view: ProjectView, exports: RecordExports): CrfCalls['files'] {
  const visiblePlace = async (
    place: FilePlace,
    { signal, caller, traceparent }: CallOptions,
  ): Promise<FilePlace> => {
    const call = { signal, caller, traceparent };
    const { dictionary } = await loadProjectStructure(calls, call);
    const form = dictionary.field(place.field)?.instrument ?? '';
    const isField = view.fields.has(place.field) && view.forms.has(form);
    const isEvent = place.event === undefined || (view.events?.has(place.event) ?? true);
    return {
      ...place,
      record: isField && (await exports.has(place.record, call)) ? place.record : NO_RECORD,
      field: isField ? place.field : NO_FIELD,
      event: isEvent ? place.event : NO_EVENT,
    };
  };
  const isWritable = ({ field }: FilePlace): boolean =>
    field === NO_FIELD || view.fields.get(field) === 'write';

  return {
    download: async (place, call = {}) => {
      if (view.files === 'none' || view.deidentify !== undefined) throw new NotInPolicyError();
      return calls.files.download(await visiblePlace(place, call), call);
    },
    upload: async (place, file, call = {}) => {
      if (view.files !== 'write' || view.deidentify !== undefined) throw new NotInPolicyError();
      const visible = await visiblePlace(place, call);
      if (!isWritable(visible)) throw new NotInPolicyError();
      if (visible.record === place.record && visible.field === place.field && visible.event === place.event)
        return calls.files.upload(visible, file, call);
      // What is refused is not sent.
      if (visible.field === place.field && visible.event === place.event) throw new RecordNotFoundError();
      await calls.files.delete({ ...visible, record: NO_RECORD }, call);
      throw new NotInPolicyError();
    },
    delete: async (place, call = {}) => {
      if (view.files !== 'write' || view.deidentify !== undefined) throw new NotInPolicyError();
      const visible = await visiblePlace(place, call);
      if (!isWritable(visible)) throw new NotInPolicyError();
      return calls.files.delete(visible, call);
    },
    info: refuse,
    size: refuse,
  };
}
