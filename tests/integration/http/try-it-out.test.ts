import { expect } from 'chai';
import type { RunningServer } from '../../../src/server/start-server.js';
import {
  leftEmpty,
  prefilledRequest,
  type PrefilledOperation,
  type Schemas,
} from '../../support/prefilled-request.js';
import { startWholeService } from '../../support/start-whole-service.js';

interface Trial {
  readonly name: string;
  readonly status: number;
  readonly text: string;
}

/** Run last, in this order, so that nothing is requested after it was deleted. */
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** Run after these, in this order, because other operations would find a changed study. */
const LAST: readonly string[] = [
  'post /api/v1/records/{record}/rename',
  'post /api/v1/records/delete',
  'delete /api/v1/records/{record}',
  'put /api/v1/project/fields',
];
/** The participant of the tour, whom no prefilled request deletes or renames. */
const OF_THE_TOUR = 'COHORT-2026-PARTICIPANT-0001';
/** Stored again before each operation that takes it away. */
const RECORD = { record_id: 'COHORT-2026-PARTICIPANT-0250' };

/**
 * Operations for which the demo study has no data (files, reports, surveys, events, roles, randomization), or that need a
 * signed-in person. Their answers must say so, and what to do.
 */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'get /api/v1/auth/me': /unauthenticated/,
  'get /api/v1/auth/sessions': /unauthenticated/,
  'delete /api/v1/auth/account': /unauthenticated/,
  'post /api/v1/auth/logout': /unauthenticated/,
  'delete /api/v1/auth/sessions/{id}': /unauthenticated/,
  'get /api/v1/records/{record}/surveys/{instrument}/link': /Surveys are not enabled/,
  'get /api/v1/records/{record}/surveys/{instrument}/return-code': /Surveys are not enabled/,
  'get /api/v1/records/{record}/surveys/queue-link': /Surveys are not enabled/,
  'get /api/v1/surveys/{instrument}/access-code': /Surveys are not enabled/,
  'get /api/v1/surveys/{instrument}/participants': /Surveys are not enabled/,
  'get /api/v1/file-repository/{id}': /The file repository has no file of this number/,
  'delete /api/v1/file-repository/{id}': /The file repository has no file of this number/,
  'get /api/v1/records/{record}/files/{field}': /No file is stored there/,
  'get /api/v1/reports/{report}': /report_not_found/,
  'get /api/v1/records/manifest': /not_deidentified/,
  'post /api/v1/records/{record}/randomize': /upstream_rejected/,
  // `POST /records` has already used the new name.
  'post /api/v1/records/{record}/rename': /upstream_rejected/,
  'put /api/v1/project/role-assignments': /invalid_request/,
  'put /api/v1/project/mappings': /invalid_request/,
  'put /api/v1/project/repeating': /invalid_request/,
  'delete /api/v1/project/events/{event}': /is not an event of this project/,
  'delete /api/v1/project/roles/{role}': /is not a role of this project/,
};

/** May be refused, because a very busy machine reports that it is not ready. */
const AT_TIMES_REFUSED: Readonly<Record<string, RegExp>> = { 'get /health/ready': /not_ready/ };

describe('Every operation of the reference page, tried out with its prefilled values', function () {
  this.timeout(60_000);
  let service: RunningServer;
  let trials: Trial[];
  let empty: string[];

  before(async () => {
    service = await startWholeService();
    const { paths, components } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, PrefilledOperation>>;
      components: { schemas: Schemas };
    };
    const operations = METHODS.flatMap((method) =>
      Object.entries(paths).flatMap(([path, { [method]: operation }]) =>
        operation === undefined ? [] : [{ name: `${method} ${path}`, method, path, operation }],
      ),
    ).sort((one, other) => LAST.indexOf(one.name) - LAST.indexOf(other.name));
    trials = [];
    empty = operations.flatMap(({ name, operation }) =>
      leftEmpty(operation, components.schemas).map((field) => `${name}: ${field}`),
    );
    for (const { name, method, path, operation } of operations) {
      if (LAST.includes(name)) await storeRecord();
      const { target, headers, body } = prefilledRequest(path, operation, components.schemas);
      const answer = await fetch(service.url + target, {
        method: method.toUpperCase(),
        headers,
        redirect: 'manual',
        ...(body !== undefined && { body }),
      });
      trials.push({ name, status: answer.status, text: (await answer.text()).slice(0, 500) });
    }
  });
  after(() => service.stop());

  async function storeRecord(): Promise<void> {
    const { status } = await fetch(`${service.url}/api/v1/records`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ records: [RECORD] }),
    });
    expect(status).to.equal(200);
  }

  it('leaves the participant of the tour alone', async () => {
    // Whoever tries out everything has also replaced the fields, but not the records.
    const answer = await fetch(`${service.url}/api/v1/records?records=${OF_THE_TOUR}`);

    expect(answer.status).to.equal(200);
    expect(await answer.text()).to.include(OF_THE_TOUR);
  });

  it('has a value for every required field', () => {
    expect(empty).to.deep.equal([]);
  });

  it('succeeds, or states what is missing', () => {
    const bad = trials.filter(({ name, status, text }) => {
      if (status < 300) return name in REFUSED;
      return !(REFUSED[name] ?? AT_TIMES_REFUSED[name])?.test(text);
    });

    expect(bad).to.deep.equal([]);
    expect(trials.length).to.be.above(50);
    const names = trials.map(({ name }) => name);
    expect(names).to.include.members([...Object.keys(REFUSED), ...Object.keys(AT_TIMES_REFUSED), ...LAST]);
  });
});
