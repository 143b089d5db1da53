import { download, type Download } from './download.js';
import { median } from './load.js';
import { stopAll } from './process-under-test.js';
import { seconds, type Row } from './row.js';
import { startService, startUpstream } from './service.js';

const FIELDS = 10_000;
const RECORDS = 10;
const ROUNDS = 3;
const SHAPES = ['schema', 'types', 'openapi.json'] as const;

/**
 * Measures the schema, the types and the OpenAPI document of a project of 10,000 fields: the first answer of a new
 * process.
 */
export async function shapeBench(): Promise<Row[]> {
  const upstream = await startUpstream(RECORDS, FIELDS);
  const rows: Row[] = [];
  for (const shape of SHAPES) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const service = await startService(upstream);
      const request: Download = { url: `${service.url}/api/v1/project/${shape}` };
      await download({ url: `${service.url}/health` });
      times.push((await download(request)).ms);
      await service.stop();
    }
    rows.push({
      what: `\`/project/${shape}\` of 10,000 fields, first answer`,
      figures: seconds(median(times)),
      target: '≤ 1 s',
    });
  }
  await stopAll();
  return rows;
}
