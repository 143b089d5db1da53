import { NotInPolicyError } from '../../domain/errors/access-errors.js';
import { ProblemError } from '../../domain/errors/problem-error.js';
import type { CallOptions, CrfCalls, FilePlace } from '../../gateways/redcap/crf-client.js';
import { columnAccess } from '../column-access.js';
import { NO_EVENT, NO_FIELD, NO_RECORD, refusedBy } from '../hidden-names.js';
import type { ProjectView } from '../project-view.js';
import type { RecordExports } from '../record-exports.js';

/** The files of a view: those of its file fields. The numbers of documents are those of the whole server. */
export function filesOf(calls: CrfCalls, view: ProjectView, exports: RecordExports): CrfCalls['files'] {
  const visiblePlace = async (place: FilePlace, call: CallOptions): Promise<FilePlace> => {
    const { whole, shown } = await exports.structures(call);
    const form = whole.dictionary.field(place.field)?.instrument ?? '';
    const isField = view.fields.has(place.field) && view.forms.has(form);
    return {
      ...place,
      record: isField && (await exports.has(place.record, call)) ? place.record : NO_RECORD,
      field: isField ? place.field : NO_FIELD,
      event: eventIn(place, shown.eventNames),
    };
  };
  /** Without an event REDCap takes the first one of the project; in a view that is the first visible one. */
  const eventIn = ({ event }: FilePlace, visible: readonly string[]): string | undefined => {
    if (view.events === undefined) return event;
    const meant = event ?? visible[0] ?? '';
    return view.events.has(meant) ? meant : NO_EVENT;
  };
  /** @throws {NotInPolicyError} no file may be changed, or not that of the field */
  const writablePlace = async (place: FilePlace, call: CallOptions): Promise<FilePlace> => {
    if (view.files !== 'write' || view.deidentify !== undefined) throw new NotInPolicyError();
    const visible = await visiblePlace(place, call);
    const { whole } = await exports.structures(call);
    const column = whole.dictionary.column(visible.field);
    const accessTo = await columnAccess(calls, view, call);
    if (column !== undefined && accessTo(column) !== 'write') throw new NotInPolicyError();
    return visible;
  };

  return {
    get: async (place, call = {}) => {
      if (view.files === 'none' || view.deidentify !== undefined) throw new NotInPolicyError();
      return refusedBy(calls.files.get(await visiblePlace(place, call), call), { ...place });
    },
    put: async (place, file, call = {}) => {
      const visible = await writablePlace(place, call);
      const isPlace = visible.field !== NO_FIELD && visible.event !== NO_EVENT;
      if (isPlace && visible.record !== NO_RECORD) return calls.files.put(visible, file, call);
      // What is refused is not sent.
      if (isPlace) throw new ProblemError('record_not_found');
      await refusedBy(calls.files.delete({ ...visible, record: NO_RECORD }, call), { ...place });
      throw new NotInPolicyError();
    },
    delete: async (place, call = {}) =>
      refusedBy(calls.files.delete(await writablePlace(place, call), call), { ...place }),
  };
}
