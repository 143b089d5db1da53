import { formStatusName } from '../../domain/dictionary/export-column.js';
import { ProblemError } from '../../domain/errors/problem-error.js';
import type { Field } from '../../domain/dictionary/field.js';
import { NotInPolicyError } from '../../domain/errors/access-errors.js';
import type { CallOptions, CrfCalls, PdfSelection, SurveyPlace } from '../../gateways/redcap/crf-client.js';
import { columnAccess, refuse, refused } from '../column-access.js';
import { HiddenNames, NO_NAME, NO_RECORD, refusedBy } from '../hidden-names.js';
import type { ProjectView } from '../project-view.js';
import { visibleDictionary } from '../visible-dictionary.js';

type Place = Pick<PdfSelection, 'record' | 'instrument' | 'event'>;

/**
 * What REDCap draws or opens as a whole: PDF files, and surveys, whose links let their holder fill in a form. A view has
 * them only for forms that it shows, or lets change, exactly as they are. The file repository belongs to all of the
 * project, and so to no view.
 *
 * @param shown the calls of the view, which know its records
 */
export function documentsOf(
  calls: CrfCalls,
  view: ProjectView,
  shown: Pick<CrfCalls, 'exportRecords'>,
): Pick<CrfCalls, 'pdf' | 'surveys' | 'fileRepository'> {
  const admission = new Admission(calls, view, shown);
  const ofPlace =
    (ask: (place: SurveyPlace, call: CallOptions) => Promise<string>) =>
    async (place: SurveyPlace, call: CallOptions = {}): Promise<string> => {
      await admission.of(place, 'write', call, (elsewhere) => ask({ ...place, ...elsewhere }, call));
      return ask(place, call);
    };
  return {
    pdf: {
      get: async (selection = {}, call = {}) => {
        await admission.of(selection, 'read', call, async (elsewhere) => {
          // Without a record the forms are blank.
          const { body } = await calls.pdf.get({ ...selection, ...elsewhere, record: undefined }, call);
          body.destroy();
        });
        return calls.pdf.get(selection, call);
      },
      getAll: refuse,
    },
    surveys: {
      getLink: ofPlace((place, call) => calls.surveys.getLink(place, call)),
      getReturnCode: ofPlace((place, call) => calls.surveys.getReturnCode(place, call)),
      getAccessCode: ofPlace((place, call) => calls.surveys.getAccessCode(place, call)),
      // The queue has all surveys of a participant.
      getQueueLink: async (record, call = {}) => {
        await admission.of({ record }, 'write', call, refuse);
        return calls.surveys.getQueueLink(record, call);
      },
      // The list has the addresses and links of all participants.
      listParticipants: async (survey, call = {}) => {
        if (view.rows.kind !== 'all') return refuse();
        await admission.of({}, 'write', call, refuse);
        return calls.surveys.listParticipants(survey, call);
      },
    },
    fileRepository: refused('list', 'info', 'size', 'createFolder', 'get', 'put', 'delete'),
  };
}

/** Decides whether forms may be drawn, or filled in, as REDCap has them. */
class Admission {
  constructor(
    private readonly calls: CrfCalls,
    private readonly view: ProjectView,
    private readonly shown: Pick<CrfCalls, 'exportRecords'>,
  ) {}

  /**
   * @param place all forms, events or records, as far as it names none
   * @param ask asks REDCap for a place that does not exist, for it to refuse
   * @throws {NotInPolicyError} a form is not shown whole
   * @throws {CrfError} what REDCap says of a place that does not exist, if it is not in the view
   */
  async of(
    place: Place,
    access: 'read' | 'write',
    call: CallOptions,
    ask: (elsewhere: { instrument?: string; event?: string; record?: string }) => Promise<unknown>,
  ): Promise<void> {
    const { forms, events, deidentify } = this.view;
    if (deidentify !== undefined) throw new NotInPolicyError();
    const { instrument, event, record } = place;
    const isForm = instrument === undefined || forms.has(instrument);
    const isEvent = event === undefined || (events?.has(event) ?? true);
    if (isForm && isEvent && !(await this.#isWhole(place, access, call))) throw new NotInPolicyError();
    const isRecord = record === undefined || (await this.#has(record, call));
    if (isForm && isEvent && isRecord) return;
    const elsewhere = {
      ...(!isForm && { instrument: NO_NAME }),
      ...(!isEvent && { event: NO_NAME }),
      ...(!isRecord && { record: NO_RECORD }),
    };
    await refusedBy(ask(elsewhere), { instrument, event });
    throw isRecord ? new NotInPolicyError() : new ProblemError('record_not_found');
  }

  async #isWhole(
    { instrument, event }: Place,
    access: 'read' | 'write',
    call: CallOptions,
  ): Promise<boolean> {
    const { calls, view } = this;
    if (event === undefined && view.events !== undefined) return false;
    const fields = await calls.fields.list(call);
    const visible = new Map(
      visibleDictionary(fields, view).map((field) => [field.name, JSON.stringify(field)]),
    );
    const drawn = fields.filter((field) => instrument === undefined || field.instrument === instrument);
    const { customRecordLabel, secondaryUniqueField } = await calls.project.getInfo(call);
    return (
      drawn.every((field) => visible.get(field.name) === JSON.stringify(field)) &&
      (access === 'read' || (await this.#mayFillIn(drawn, fields[0], call))) &&
      // REDCap shows both beside the record's id.
      !new HiddenNames(fields, view).isIn(customRecordLabel) &&
      (secondaryUniqueField === '' || view.fields.has(secondaryUniqueField))
    );
  }

  /** Whether all that a survey lets its holder change may be changed: its fields, and the status of its form. */
  async #mayFillIn(
    fields: readonly Field[],
    idField: Field | undefined,
    call: CallOptions,
  ): Promise<boolean> {
    const accessTo = await columnAccess(this.calls, this.view, call);
    const filledIn = fields.filter((field) => field.name !== idField?.name && !COMPUTED.has(field.type));
    const forms = new Set(fields.map((field) => field.instrument));
    return [
      ...filledIn.map((field) => ({ name: field.name, field, instrument: field.instrument })),
      ...[...forms].map((form) => ({ name: formStatusName(form), field: undefined, instrument: form })),
    ].every((column) => accessTo(column) === 'write');
  }

  async #has(record: string, call: CallOptions): Promise<boolean> {
    const [idField] = await this.calls.fields.list(call);
    if (idField === undefined) return false;
    const rows = await this.shown.exportRecords({ ...call, records: [record], fields: [idField.name] });
    return rows.length > 0;
  }
}

/** Types of fields that nobody fills in. */
const COMPUTED: ReadonlySet<string> = new Set(['calc', 'descriptive']);
