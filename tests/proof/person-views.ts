import { composeClient } from '../../src/client/compose-client.js';
import { Secret } from '../../src/domain/identifiers/secret.js';
import type { CrfCalls, CrfClient, RecordSelection } from '../../src/gateways/redcap/crf-client.js';
import { CallerViews, type BoundCaller, type PolicyFiles } from '../../src/policy/caller-views.js';
import { readPolicyFile } from '../../src/policy/policy-file.js';
import { RecordKeys } from '../../src/policy/deidentify/record-keys.js';
import type { ProjectView } from '../../src/policy/project-view.js';
import { DRAWN, PSEUDONYM_KEY } from './deidentified.js';
import type { Leak } from './leaks/leak.js';
import type { Case } from './made-up.js';

/** The views of one person, who is the only caller of an open service. */
export class PersonViews extends CallerViews {
  /** The keys of ids that were to be random. */
  readonly drawn: string[] = [];

  private constructor(
    private readonly capture: CrfClient,
    private readonly proved: PolicyFiles,
    private readonly all: PolicyFiles,
    private readonly email: string,
    private readonly leak: Leak | undefined,
  ) {
    super(capture, proved, 'secret', { pseudonymKey: new Secret(PSEUDONYM_KEY) });
  }

  static async of(
    capture: CrfClient,
    { rules, accepted, identifying = [], person, mirrored }: Case,
    leak: Leak | undefined,
  ): Promise<PersonViews> {
    const fields = await capture.fields.list();
    const filesOf = (policy: unknown, binding: object, names: (name: string) => boolean): PolicyFiles => {
      const lock: Record<string, string[]> = {};
      for (const { name, instrument } of fields) if (names(name)) (lock[instrument] ??= []).push(name);
      const file = { version: 1, policies: { proved: policy }, bindings: [{ session: '*', ...binding }] };
      return {
        set: readPolicyFile(JSON.stringify(file)),
        lock: { version: 1, policies: { proved: lock }, identifying: { proved: [...identifying] } },
      };
    };
    const bound = mirrored ? { mirror: 'redcap-user' } : { policy: 'proved', dag: person.group };
    return new PersonViews(
      capture,
      filesOf(rules, bound, (name) => accepted.has(name)),
      filesOf(EVERYTHING, { policy: 'proved' }, () => true),
      person.email,
      leak,
    );
  }

  /** Reads other files, as a service does when they have changed. */
  grantAll(isAll: boolean): void {
    this.replace(isAll ? this.all : this.proved);
  }

  override async viewOf(): Promise<ProjectView> {
    const caller: BoundCaller = { kind: 'session', name: 'session:one', user: { email: this.email } };
    const view = await super.viewOf(caller);
    if (this.leak?.view === undefined) return this.#drawnOnce(view);
    const groups = (await this.capture.dags.list()).map(({ uniqueName }) => uniqueName);
    return this.#drawnOnce(this.leak.view(view, await this.capture.fields.list(), groups));
  }

  /** Ids that are random for each export are noted, and others put in their place that are the same in all rooms. */
  #drawnOnce(view: ProjectView): ProjectView {
    const { deidentify } = view;
    if (deidentify?.recordId !== 'random') return view;
    this.drawn.push(deidentify.keys?.fingerprint ?? '');
    const drawn = new RecordKeys(Buffer.from(PSEUDONYM_KEY, 'hex'), DRAWN);
    const keys = Object.assign(drawn, { daysOf: (id: string) => deidentify.keys?.daysOf(id) ?? 0 });
    return { ...view, key: DRAWN, deidentify: { ...deidentify, keys } };
  }
}

const EVERYTHING = { records: 'all', forms: { '*': 'write' }, create: 'auto', files: 'write', log: 'read' };

/** Returns a client of the same calls, with a note of the fields that exports ask for. */
export function watched(
  calls: CrfCalls,
  watch: { readonly asked: Set<string>; readonly isOn: boolean },
): CrfClient {
  const note = ({ fields = ['*'], forms }: RecordSelection): void => {
    if (watch.isOn) for (const name of forms === undefined ? fields : ['*']) watch.asked.add(name);
  };
  const exports: Pick<CrfCalls, 'exportRecords' | 'openRecords'> = {
    exportRecords: (options = {}) => {
      note(options);
      return calls.exportRecords(options);
    },
    openRecords: (options) => {
      note(options);
      return calls.openRecords(options);
    },
  };
  const noting = new Proxy(calls, {
    get: (target, name) => {
      if (Object.hasOwn(exports, name)) return Reflect.get(exports, name) as unknown;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return composeClient(noting);
}
