import { Example, Get, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { FieldNameText } from '../domain/identifiers/names.js';
import type { ExportFieldName, FieldValidation, Instrument } from '../gateways/redcap/crf-client.js';
import { sendUnlessKnown } from './tagged-answers.js';
import { CrfController } from './crf-controller.js';

/** REDCap's version. */
export interface VersionResponse {
  data: {
    /**
     * Three numbers separated by dots.
     * @example "16.1.9"
     */
    version: string;
  };
}

/** The instruments. */
export interface InstrumentsResponse {
  data: Instrument[];
}

/** The export columns. */
export interface ExportFieldNamesResponse {
  data: ExportFieldName[];
}

/** The text validations. */
export interface FieldValidationsResponse {
  data: FieldValidation[];
}

/** Selects export columns. */
export interface ExportFieldNamesQuery {
  /** Only the columns of this field. */
  field?: FieldNameText;
}

@Route('api/v1/project')
@Tags('Project')
@Security('apiKey', ['project:read'])
export class ProjectController extends CrfController {
  /**
   * Returns the version of the REDCap installation behind this service.
   * @summary Get the REDCap version
   */
  @Get('version')
  @SuccessResponse(200, 'The version')
  @Example<VersionResponse>({ data: { version: '16.1.9' } })
  async getVersion(): Promise<VersionResponse> {
    const version = await this.crf.overview.version(this.call);
    return sendUnlessKnown(this.request, { data: { version } });
  }

  /**
   * Returns the instruments (data entry forms) of the project, in project order.
   * @summary List the instruments
   */
  @Get('instruments')
  @SuccessResponse(200, 'The instruments')
  @Example<InstrumentsResponse>({ data: [{ name: 'demographics', label: 'Demographics' }] })
  async listInstruments(): Promise<InstrumentsResponse> {
    return sendUnlessKnown(this.request, { data: await this.crf.instruments.list(this.call) });
  }

  /**
   * Maps each field to its export columns, in the order of the data dictionary: a checkbox field has one column
   * per choice.
   * @summary List the export columns
   */
  @Get('export-field-names')
  @SuccessResponse(200, 'The export columns')
  @Example<ExportFieldNamesResponse>({
    data: [
      { field: 'age', code: '', column: 'age' },
      { field: 'sites', code: '2', column: 'sites___2' },
    ],
  })
  async listExportFieldNames(@Queries() query: ExportFieldNamesQuery): Promise<ExportFieldNamesResponse> {
    return sendUnlessKnown(this.request, {
      data: await this.crf.exportFieldNames.list({ ...this.call, ...query }),
    });
  }

  /**
   * Returns the text validations of this REDCap installation: the built-in ones, and those that the site has added,
   * in REDCap's order. Patterns are in PHP syntax, with delimiters.
   * @summary List the text validations
   */
  @Get('field-validations')
  @SuccessResponse(200, 'The validations')
  @Example<FieldValidationsResponse>({ data: [{ name: 'integer', pattern: '/^[-+]?\\b\\d+\\b$/' }] })
  async listFieldValidations(): Promise<FieldValidationsResponse> {
    return sendUnlessKnown(this.request, {
      data: await this.crf.fieldValidations.list(this.call),
    });
  }
}
