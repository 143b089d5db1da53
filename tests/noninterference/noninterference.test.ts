import { expect } from 'chai';
import { createApp } from '../../src/app/app.js';
import type { CrfCalls } from '../../src/gateways/redcap/crf-client.js';
import { LEAKS } from '../proof/leaks/leaks.js';
import { namesOf, requestsFor } from '../proof/requests.js';
import { variationsOf } from '../proof/varied.js';
import { writesFor } from '../proof/writes.js';
import { OPERATIONS } from '../support/api-operations.js';
import { routesOf } from '../support/express-routes.js';
import { startSandboxClient } from '../support/sandbox-client.js';
import { playSeed, seededPair, survivors } from './pairs.js';

/** Operations that show nothing of a project, or not what a policy decides about. */
const NOT_OF_A_PROJECT: Readonly<Record<string, string>> = {
  GetHealth: 'whether the service runs',
  GetReadiness: 'whether REDCap can be reached, by the unrestricted client',
  Signup: 'the sign-in',
  UseLink: 'the sign-in',
  Logout: 'the sign-in',
  DeleteAccount: 'the account of a person',
  GetMe: 'the account of a person',
  ListSessions: 'the sessions of a person',
  EndSession: 'the sessions of a person',
  ListProjects: 'the projects of a caller, with what everybody with project:read sees',
};

describe('A policy is a smaller project', function () {
  this.timeout(600_000);

  it('GW-03: answers as a project from which what is hidden was taken away, whatever is hidden', async () => {
    for (const seed of [6, 16, 17]) {
      const { compared, shown, findings, what } = await playSeed(seed, { share: 0.08 });
      expect(findings, `seed ${seed}: ${what}`).to.deep.equal([]);
      expect(Math.min(compared, shown)).to.be.above(15);
    }
  });

  it('GW-09: answers as a project with other values where it de-identifies', async () => {
    for (const seed of [5, 10]) {
      const { compared, shown, findings, what } = await playSeed(seed, { share: 0.08 });
      expect(what).to.include('"deidentify"');
      expect(findings, `seed ${seed}: ${what}`).to.deep.equal([]);
      expect(Math.min(compared, shown)).to.be.above(15);
    }
  });

  it('is told from one that leaks', async () => {
    const leaks = LEAKS.filter(({ name }) =>
      /^(labels|imports of anything|small counts.*|a date that is not shifted)$/.test(name),
    );
    expect(leaks).to.have.length(4);
    expect(await survivors(1, leaks)).to.deep.equal([]);
    expect(LEAKS.length).to.be.at.least(48);
  });

  it('is not told from one without a leak in the place of one', async () => {
    const nothing = {
      name: 'nothing',
      calls: (shown: CrfCalls) => shown,
      at: /^\/(api\/v1\/project|dashboard)/,
    };
    expect((await playSeed(13, { share: 0.15, leak: nothing })).findings).to.deep.equal([]);
  });

  it('is compared at every operation of the API', () => {
    const { study, left, who, madeUp, random } = seededPair(13);
    const changes = writesFor(study, left, who, madeUp, random).map(({ request }) => request);
    const sent = [...requestsFor(study, left, who.rules), ...changes].map(
      ({ method = 'GET', path }) => `${method} ${path.split('?')[0] ?? ''}`,
    );
    const isSent = ({ method, template }: (typeof OPERATIONS)[number]): boolean => {
      const pattern = new RegExp(`^${method} ${template.replace(/\{\w+\}/g, '[^/]+')}$`);
      return sent.some((path) => pattern.test(path));
    };
    const missing = OPERATIONS.filter((operation) => !isSent(operation)).map(({ id }) => id);
    expect(missing.filter((id) => NOT_OF_A_PROJECT[id] === undefined)).to.deep.equal([]);
  });

  it('is compared with each parameter of each operation left out, blank, and there twice', () => {
    const { study, left, who, madeUp, random } = seededPair(13);
    const changes = writesFor(study, left, who, madeUp, random).map(({ request }) => request);
    const sent = [...requestsFor(study, left, who.rules), ...variationsOf(changes, namesOf(study, left))].map(
      ({ method = 'GET', path }) => {
        const [name = '', query] = path.split('?');
        return { operation: `${method} ${name}`, query: new URLSearchParams(query) };
      },
    );
    const missing = OPERATIONS.filter(({ id }) => NOT_OF_A_PROJECT[id] === undefined).flatMap((operation) => {
      const { id, method, template, parameters } = operation;
      const pattern = new RegExp(`^${method} ${template.replace(/\{\w+\}/g, '[^/]+')}$`);
      const queries = sent.filter((each) => pattern.test(each.operation)).map(({ query }) => query);
      return parameters
        .filter((parameter) => parameter.in === 'query')
        .flatMap(({ name }) =>
          [
            queries.some((query) => !query.has(name)) ? '' : 'left out',
            queries.some((query) => query.get(name) === '') ? '' : 'blank',
            queries.some((query) => query.getAll(name).length > 1) ? '' : 'twice',
          ].flatMap((way) => (way === '' ? [] : [`${id} ${name} ${way}`])),
        );
    });
    expect(missing).to.deep.equal([]);
  });

  it('is compared at every page about the project', async () => {
    const { study, left, who } = seededPair(13);
    const sandbox = await startSandboxClient(study);
    const app = createApp({ capture: sandbox.client, access: { allowAnonymous: true }, sandbox: {} });
    const sent = requestsFor(study, left, who.rules).map(({ path }) => path.split('?')[0] ?? '');
    const pages = routesOf(app.router).routes.filter(({ path }) => /^\/(dashboard|try-file)/.test(path));
    const missing = pages.filter(({ path }) => {
      const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
      return !sent.some((each) => pattern.test(each));
    });
    await sandbox.close();

    expect(pages.length).to.be.above(10);
    expect(missing).to.deep.equal([]);
  });
});
