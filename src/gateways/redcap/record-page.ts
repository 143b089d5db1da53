import type { CallOptions, CrfClient, InfoSource } from './crf-client.js';

/** Returns the address of a record in REDCap, for a person with the right to open it. */
export type RecordPage = (record: string, arm?: number) => string;

/**
 * Finds out how REDCap's pages of a project are addressed. They are beside the API, below the folder of the version.
 *
 * @param apiUrl the URL of the API, such as `https://redcap.example.org/api/`
 * @throws {CrfError} errors of `getVersion` and `project.getInfo`
 * @see docs/protocol/redcap.md 13.5 (client)
 */
export async function recordPages(
  client: InfoSource & Pick<CrfClient, 'getVersion'>,
  apiUrl: string,
  call: CallOptions = {},
): Promise<RecordPage> {
  const [version, { id }] = await Promise.all([client.getVersion(call), client.project.getInfo(call)]);
  const page = new URL(`../redcap_v${version}/DataEntry/record_home.php`, apiUrl.replace(/\/*$/, '/'));
  return (record, arm) => {
    const query = new URLSearchParams({ pid: String(id), ...(arm && { arm: String(arm) }), id: record });
    return `${page.href}?${query.toString()}`;
  };
}
