import { expect } from 'chai';
import { assembleProjects, assembleState } from '../../../src/app/assemble-state.js';
import type { CreateAppOptions } from '../../../src/app/create-app-options.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import { OPEN_PROJECT_SCOPES } from '../../../src/services/access/access-control.js';

// assembleState makes no call to REDCap, so an empty client will do.
const capture = {} as CrfClient;
const access = { allowAnonymous: true };
const credentials = { cookies: { get: () => undefined, set: () => undefined, delete: () => undefined } };

const stateOf = (options: Partial<CreateAppOptions> = {}) => {
  const given = { capture, access, ...options };
  return assembleState(given, assembleProjects(given));
};

describe('assembleState', () => {
  it('GW-01: grants every scope to everyone on the open sandbox', async () => {
    const state = stateOf({ sandbox: {} });

    expect((await state.access.identify(credentials)).scopes).to.deep.equal(SCOPES);
  });

  it('GW-01: grants anonymous callers of a real project the open-project scopes only', async () => {
    const state = stateOf();

    expect((await state.access.identify(credentials)).scopes).to.deep.equal(OPEN_PROJECT_SCOPES);
  });
});
