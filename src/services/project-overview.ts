import type { CallOptions, CrfClient } from '../gateways/redcap/crf-client.js';

/** Returns the address of a record on REDCap's own pages. */
export type RecordAddress = (record: string, arm?: number) => string;

/** What pages show of the project itself: its title, and where it is in REDCap. */
export class ProjectOverview {
  /** @param redcapUrl the address of REDCap's API; undefined if no page is to lead into REDCap */
  constructor(
    private readonly client: Pick<CrfClient, 'getVersion' | 'getProjectInfo'>,
    private readonly redcapUrl?: string,
  ) {}

  /** Returns the title of the project. @throws {CrfError} REDCap does not return it */
  async title(options: CallOptions = {}): Promise<string> {
    return (await this.client.getProjectInfo(options)).title;
  }

  /**
   * Returns where records are in REDCap; undefined if REDCap's pages are not known.
   *
   * @throws {CrfError} errors of `getVersion` and `getProjectInfo`
   * @see docs/protocol/redcap.md 13.3
   */
  async recordAddress(options: CallOptions = {}): Promise<RecordAddress | undefined> {
    const [, root] = /^(https?:.*)\/api\/?$/.exec(this.redcapUrl ?? '') ?? [];
    if (root === undefined) return undefined;
    const [version, { id: pid }] = await Promise.all([
      this.client.getVersion(options),
      this.client.getProjectInfo(options),
    ]);
    return (id, arm = 1) =>
      `${root}/redcap_v${version}/DataEntry/record_home.php?${new URLSearchParams({ pid: `${pid}`, id, arm: `${arm}` }).toString()}`;
  }
}
