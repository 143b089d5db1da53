import type { CallOptions, CrfClient, InfoSource } from '../gateways/redcap/crf-client.js';
import { recordPages, type RecordPage } from '../gateways/redcap/record-page.js';

/** Returns the address of a record on REDCap's own pages. */
export type RecordAddress = RecordPage;

/** What pages show of the project itself: its title, and where it is in REDCap. */
export class ProjectOverview {
  /** @param redcapUrl the address of REDCap's API; undefined if no page is to lead into REDCap */
  constructor(
    private readonly client: InfoSource & Pick<CrfClient, 'getVersion'>,
    private readonly redcapUrl?: string,
  ) {}

  /** Returns the title of the project. @throws {CrfError} REDCap does not return it */
  async title(options: CallOptions = {}): Promise<string> {
    return (await this.client.project.getInfo(options)).title;
  }

  /** Returns the version of REDCap. @throws {CrfError} REDCap does not return it */
  version(options: CallOptions = {}): Promise<string> {
    return this.client.getVersion(options);
  }

  /**
   * Returns where records are in REDCap; undefined if REDCap's pages are not known.
   *
   * @throws {CrfError} errors of `recordPages`
   */
  async recordAddress(options: CallOptions = {}): Promise<RecordAddress | undefined> {
    return this.redcapUrl === undefined ? undefined : recordPages(this.client, this.redcapUrl, options);
  }
}
