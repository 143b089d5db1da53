import { Example, Get, Path, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { Email } from '../domain/identifiers/email.js';
import { CrfController } from './crf-controller.js';
import type { ResolvedUser } from '../services/user-finder.js';
import type { Problem } from '../http/send-problem.js';

/** The user that an email address belongs to. */
export interface PersonResponse {
  data: ResolvedUser;
}

@Route('api/v1/people')
@Tags('People')
@Security('apiKey', ['users:read'])
export class PeopleController extends CrfController {
  /**
   * Finds the user of this project with an email address, ignoring case. The service can be configured to look up users
   * either in the records (an address field and a user id field) or in REDCap's own list of users.
   *
   * @param email the whole address, percent-encoded
   * @example email "ada.lovelace@example.org"
   * @summary Find a user by email address
   */
  @Get('{email}')
  @SuccessResponse(200, 'The user')
  @Response<Problem>(400, 'invalid_identifier: not an email address')
  @Response<Problem>(404, 'user_not_found: no user has this address')
  @Response<Problem>(409, 'ambiguous_user: the address belongs to several user ids')
  @Example<PersonResponse>({
    data: { id: 'ada.lovelace', email: 'ada.lovelace@example.org', source: 'records' },
  })
  async getPerson(@Path() email: string): Promise<PersonResponse> {
    return { data: await this.crf.userFinder.find(Email(email), this.call) };
  }
}
