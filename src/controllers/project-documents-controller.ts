import { Get, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { EventNameText, InstrumentNameText } from '../domain/identifiers/names.js';
import type { FilterLogicText, ProjectXmlContent } from '../gateways/redcap/crf-client.js';
import { CrfController } from './crf-controller.js';
import { sendStreamed } from '../http/send-streamed.js';
import { sendFile } from './streamed-answers.js';

/** Selects blank forms. */
export interface BlankPdfQuery {
  /** Only this instrument. */
  instrument?: InstrumentNameText;
  /** Only the instruments of this event. Longitudinal projects only. */
  event?: EventNameText;
}

/** What the document contains in addition to the design. */
export interface ProjectXmlQuery extends ProjectXmlContent {
  /** Only records for which this expression is true. Must be percent-encoded. */
  filterLogic?: FilterLogicText;
}

/** The project as documents. */
@Route('api/v1/project')
@Tags('Project')
export class ProjectDocumentsController extends CrfController {
  /**
   * Returns blank forms as a PDF document: all instruments, or the one that the query names.
   * @summary Download blank forms as PDF
   */
  @Get('instruments/pdf')
  @Security('apiKey', ['project:read'])
  @SuccessResponse(200, 'The document')
  async getBlankPdf(@Queries() query: BlankPdfQuery): Promise<void> {
    return sendFile(this.request, () => this.crf.fileService.openPdf(query, this.call));
  }

  /**
   * Returns the whole project as one document in CDISC ODM with REDCap's own attributes: its design, its roles and its
   * records, or without records if `metadataOnly` is set. REDCap can create a copy of the project from it, and so can
   * `crf sandbox --project`. The response is a stream. If it fails midway, the connection is broken rather than closed
   * cleanly.
   * @summary Download the project as XML
   */
  @Get('xml')
  @Security('apiKey', ['project:read', 'records:read', 'users:read'])
  @SuccessResponse(200, 'The document')
  async getProjectXml(@Queries() query: ProjectXmlQuery): Promise<void> {
    return sendStreamed(
      this.request,
      () => this.crf.fileService.openXml(query, this.call),
      (response) => response.setHeader('Content-Disposition', 'attachment; filename="project.REDCap.xml"'),
    );
  }
}
