import { expect } from 'chai';
import { assembleState } from '../../../src/app/assemble-state.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { SCOPES } from '../../../src/identifiers/scope.js';
import { OPEN_PROJECT_SCOPES } from '../../../src/services/access/open-project-scopes.js';

// Nothing is asked of REDCap while the parts are put together.
const capture = {} as CrfClient;
const access = { allowAnonymous: true };
const credentials = { cookies: { get: () => undefined, set: () => undefined, delete: () => undefined } };

describe('assembleState', () => {
  it('GW-01: gives everybody every scope on the open sandbox', async () => {
    const state = assembleState({ capture, access, sandbox: {} });

    expect((await state.access.identify(credentials)).scopes).to.deep.equal(SCOPES);
  });

  it('GW-01: gives nobody in particular rights over design, users, deletion or files of a project', async () => {
    const state = assembleState({ capture, access });

    expect((await state.access.identify(credentials)).scopes).to.deep.equal(OPEN_PROJECT_SCOPES);
  });
});
