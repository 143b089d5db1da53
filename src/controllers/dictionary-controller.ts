import {
  Example,
  Get,
  Header,
  Put,
  Queries,
  Query,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { FieldNameText, InstrumentNameText } from '../domain/identifiers/names.js';
import type { EntityTagsText } from '../http/entity-tag.js';
import type { Field } from '../domain/dictionary/field.js';
import { sendText, sendUnlessKnown, whileUnchanged } from './tagged-answers.js';
import { CrfController, type ChangeResponse } from './crf-controller.js';
import type { Problem } from '../http/send-problem.js';
import { acceptedOf, dictionaryFormat } from './record-formats.js';

/** The data dictionary. */
export interface FieldsResponse {
  data: Field[];
}

/** Selects fields of the data dictionary. */
export interface FieldsQuery {
  /** Only these fields: `fields=a,b` or `fields=a&fields=b`. */
  fields?: FieldNameText[];
  /** Only the fields of these instruments: `forms=a,b` or `forms=a&forms=b`. */
  forms?: InstrumentNameText[];
}

@Route('api/v1/project/fields')
@Tags('Project')
export class DictionaryController extends CrfController {
  /**
   * Returns the data dictionary: every field of the project, in its order, as its designer defined it. With `Accept:
   * text/csv` it is a data dictionary CSV that REDCap can read. Labels may contain HTML: escape them before displaying
   * them.
   * @summary List the fields of the data dictionary
   */
  @Get()
  @Security('apiKey', ['project:read'])
  @SuccessResponse(200, 'The fields')
  @Response<Problem>(400, 'invalid_request: a field does not exist')
  async listFields(@Queries() query: FieldsQuery): Promise<FieldsResponse> {
    const selection = { ...query, ...this.call };
    if (acceptedOf(this.request, ['json', 'csv']) === 'csv')
      return sendText(this.request, 'text/csv', await this.crf.design.dictionaryCsv(selection));
    return sendUnlessKnown(this.request, { data: await this.crf.fields.list(selection) });
  }

  /**
   * Replaces the whole data dictionary. A field that is omitted is deleted, with its stored data. Accepts
   * `application/json` with the fields in the form that `GET` returns, or a data dictionary as `text/csv`. Possible
   * only while the project is in development. Idempotent.
   * @summary Replace the data dictionary
   */
  @Put()
  @Security('apiKey', ['design:write', 'design:delete'])
  @SuccessResponse(200, 'The number of fields in the project')
  @Example<ChangeResponse>({ data: { count: 42 } })
  @Response<Problem>(400, 'upstream_rejected: REDCap refused the dictionary')
  @Response<Problem>(413, 'payload_too_large: a dictionary has at most 16 MiB')
  async putFields(
    @Query() dryRun?: boolean,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<ChangeResponse> {
    const format = dictionaryFormat(this.request);
    const isUnchanged = whileUnchanged(
      ifMatch,
      () => this.crf.fields.list(this.call),
      () => this.crf.design.dictionaryCsv(this.call),
    );
    const mayReadRecords = this.scopes.includes('records:read');
    const options = { isUnchanged, dryRun, mayReadRecords, ...this.call };
    return { data: await this.crf.design.replaceDictionary(this.request, format, options) };
  }
}
