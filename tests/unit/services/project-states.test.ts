import { expect } from 'chai';
import { UpstreamRefusedError } from '../../../src/domain/errors/upstream-errors.js';
import { ProjectStates } from '../../../src/services/project-states.js';
import { until } from '../../support/until.js';

describe('The states of several projects', () => {
  it('PROJ-07: tells which of them answer, and why the others do not', async () => {
    const states = new ProjectStates(
      new Map([
        ['cohort', () => Promise.resolve('The cohort')],
        ['broken', () => Promise.reject(new UpstreamRefusedError())],
      ]),
    );

    expect(Object.fromEntries(await states.all())).to.deep.equal({
      cohort: { status: 'up', title: 'The cohort' },
      broken: { status: 'down', title: undefined, reason: 'upstream_refused' },
    });
  });

  it('PROJ-07: asks at most four at once, each once a minute at most, and all ten times a minute', async () => {
    let now = 0;
    let [asked, atOnce, most] = [0, 0, 0];
    const check = async (): Promise<string> => {
      asked += 1;
      most = Math.max(most, (atOnce += 1));
      await new Promise(setImmediate);
      atOnce -= 1;
      return 'A title';
    };
    const names = Array.from({ length: 30 }, (_, at) => `project${at}`);
    const states = new ProjectStates(new Map(names.map((name) => [name, check])), { clock: () => now });

    await states.all();
    await states.all();
    expect([asked, most]).to.deep.equal([30, 4]);
    now += 179_999;
    await states.all();
    expect(asked).to.equal(30);
    now += 1;
    await states.all();
    expect(asked).to.equal(60);
  });

  it('PROJ-07: waits a moment for one that hangs, and tells what is known of the others', async () => {
    let answer: (title: string) => void = () => undefined;
    const hung = new Promise<string>((resolve) => (answer = resolve));
    const states = new ProjectStates(
      new Map([
        ['hung', () => hung],
        ['cohort', () => Promise.resolve('The cohort')],
      ]),
    );

    const first = await states.all();
    answer('It was only slow');
    await until(async () => (await states.all()).get('hung')?.status === 'up');

    expect([...first.values()].map(({ status }) => status)).to.deep.equal(['unknown', 'up']);
  });

  it('PROJ-08: knows of projects that stay what was known of them, and asks the others', async () => {
    const asked: string[] = [];
    const checkOf = (title: string) => () => {
      asked.push(title);
      return Promise.resolve(title);
    };
    const cohort = checkOf('The cohort');
    const before = new ProjectStates(
      new Map([
        ['cohort', cohort],
        ['trial', checkOf('The trial')],
      ]),
    );
    await before.all();

    const after = new ProjectStates(
      new Map([
        ['cohort', cohort],
        ['trial', checkOf('The changed trial')],
      ]),
      { before },
    );
    await after.all();

    expect(asked).to.deep.equal(['The cohort', 'The trial', 'The changed trial']);
  });
});
