import type { CallOptions, CrfClient, ProjectXmlOptions } from '../gateways/redcap/crf-client.js';
import type { AuditedOptions } from '../records/audit-notes.js';
import { firstByteOf } from '../records/streaming/first-byte.js';
import type { ReaderPaceOptions } from '../records/streaming/reader-pace.js';
import { streamedAnswer, type StreamedAnswer } from '../records/streaming/streamed-answer.js';

/** Selects the content of a project in XML. */
export type ProjectXmlRequest = Omit<ProjectXmlOptions, keyof CallOptions>;

/** Exports the whole project as one document, in constant memory. */
export class ProjectXmlExporter {
  readonly #projects: Pick<CrfClient['projects'], 'openXml'>;
  readonly #pace: ReaderPaceOptions;

  /** @param pace minimum speed of a reader whose progress is known; none by default */
  constructor(
    client: { readonly projects: Pick<CrfClient['projects'], 'openXml'> },
    pace: ReaderPaceOptions,
  ) {
    this.#projects = client.projects;
    this.#pace = pace;
  }

  /** Opens the document once its first bytes have arrived and look like one. */
  async open(request: ProjectXmlRequest, { audit, ...call }: AuditedOptions): Promise<StreamedAnswer> {
    const body = await this.#projects.openXml({ ...request, ...call });
    return streamedAnswer(await firstByteOf(body), {
      contentType: 'application/xml; charset=utf-8',
      pace: this.#pace,
      audit,
    });
  }
}
