import { hkdfSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { callsOf, composeClient } from '../client/compose-client.js';
import type { CallOptions, CrfClient } from '../gateways/redcap/crf-client.js';
import type { ProjectParts, ViewService } from '../http/project-parts.js';
import type { BoundCaller, CallerViews } from '../policy/caller-views.js';
import { countedExport } from '../policy/counted-export.js';
import { restrict } from '../policy/restrict.js';
import { CrfService, type CrfServiceOptions } from '../services/crf-service.js';
import type { CountingClient } from '../services/export-manifests.js';

/** Services that are kept; whoever comes back after a thousand others gets a new one. */
const MAX_SERVICES = 1000;

/** The services of a project under a policy: one for each view, with its own caches, and cursors that no other reads. */
export class ViewServices {
  readonly #services = new LRUCache<string, CrfService>({ max: MAX_SERVICES });

  constructor(
    private readonly client: CrfClient,
    private readonly views: CallerViews,
    private readonly options: CrfServiceOptions & ProjectParts['held'],
  ) {}

  /** Returns the service of what a caller sees. @throws what `CallerViews.viewOf` throws */
  async of(caller: BoundCaller, call?: CallOptions): Promise<ViewService> {
    const view = await this.views.viewOf(caller, call);
    const known = this.#services.get(view.key);
    if (known !== undefined) return { view, crf: known };
    const cursorKey = Buffer.from(hkdfSync('sha256', this.options.cursorKey, '', `view ${view.key}`, 32));
    const calls = callsOf(this.client);
    const client = composeClient(restrict(calls, view));
    const counting = (): CountingClient | undefined => {
      const counted = countedExport(calls, view);
      return counted && { client: composeClient(counted.calls), manifest: counted.manifest };
    };
    // REDCap does not know the ids that a view makes up.
    const { recordId = 'kept' } = view.deidentify ?? {};
    const redcapUrl = recordId === 'kept' ? this.options.redcapUrl : undefined;
    const options = { ...this.options, cursorKey, redcapUrl, counting };
    const crf = new CrfService(client, options);
    // Ids that are random for each export make each view another one.
    if (view.deidentify?.recordId !== 'random') this.#services.set(view.key, crf);
    return { view, crf };
  }
}
