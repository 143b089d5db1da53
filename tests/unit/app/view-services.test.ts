import { expect } from 'chai';
import { assembleProjects } from '../../../src/app/assemble-state.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { CallerViews } from '../../../src/policy/caller-views.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { acceptAll } from '../../../src/policy/policy-lock.js';
import { loadProjectStructure } from '../../../src/records/load-project-structure.js';
import { write } from '../../support/import-project.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { classicStudy } from '../../support/studies.js';

const POLICY = `version: 1
policies:
  one: { records: all, forms: { base: write }, create: { prefix: N- } }
  two: { records: all, forms: { base: write }, create: { prefix: N- } }
bindings:
  - { key: one, policy: one }
  - { key: two, policy: two }
`;

describe('The services of two views of one project', () => {
  let started: SandboxClient;
  let inFlight = 0;
  let most = 0;
  let release: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));

  /** A client whose calls wait until they are released, but for the first of an import, which is made alone. */
  const waiting = (client: CrfClient): CrfClient =>
    new Proxy(client, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (name !== 'importData')
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        return async (...args: Parameters<CrfClient['importData']>) => {
          if (/"N-[ab]0"/.test(args[0] as string)) return target.importData(...args);
          most = Math.max(most, (inFlight += 1));
          await released;
          inFlight -= 1;
          return target.importData(...args);
        };
      },
    });

  const servicesOf = async () => {
    started = await startSandboxClient(classicStudy());
    const set = readPolicyFile(POLICY);
    const lock = acceptAll(set, await loadProjectStructure(started.client));
    const capture = waiting(started.client);
    const policy = new CallerViews(capture, { set, lock }, 'secret');
    const imports = { recordIdMinLength: 1, batchSize: 1, concurrency: 3 };
    const project = [...assembleProjects({ capture, policy, imports }).byName.values()][0];
    const serviceOf = async (name: string) =>
      (await project?.serviceOf?.({ kind: 'api-key', name: `key:${name}` }))?.crf;
    return Promise.all([serviceOf('one'), serviceOf('two')]);
  };
  afterEach(() => started.close());

  it('make conditional changes of the design one after the other', async () => {
    const [one, two] = await servicesOf();
    let [checking, most] = [0, 0];
    const isUnchanged = async (): Promise<boolean> => {
      most = Math.max(most, ++checking);
      await new Promise(setImmediate);
      checking -= 1;
      return false;
    };

    const outcomes = await Promise.allSettled([
      one?.design.putInfo({ title: 'One' }, { isUnchanged }),
      two?.design.putInfo({ title: 'Two' }, { isUnchanged }),
    ]);

    expect(one).to.not.equal(two);
    expect(outcomes.map((each) => each.status === 'rejected' && each.reason.code)).to.deep.equal([
      'precondition_failed',
      'precondition_failed',
    ]);
    expect(most).to.equal(1);
  });

  it('share the calls that imports make at once, beyond the one that each always has', async () => {
    const [one, two] = await servicesOf();
    const body = (name: string) =>
      JSON.stringify({
        records: Array.from({ length: 12 }, (_, at) => ({ id: `N-${name}${at}`, age: '40' })),
      });
    if (one === undefined || two === undefined) throw new Error('There is a service for each.');

    const imports = [write(one.writer, body('a')), write(two.writer, body('b'))];
    while (inFlight < 4) await new Promise(setImmediate);
    for (let turns = 0; turns < 200; turns += 1) await new Promise(setImmediate);
    release();
    const outcomes = await Promise.all(imports);

    expect(outcomes.map(({ count }) => count)).to.deep.equal([12, 12]);
    expect(most).to.equal(4);
  });
});
