import { expect } from 'chai';
import { identifyCaller } from '../../../../src/sandbox/appwrite/identity-caller.js';
import { IdentityError } from '../../../../src/sandbox/appwrite/identity-error.js';
import { IdentityStore } from '../../../../src/sandbox/appwrite/identity-store.js';

describe('A caller of the Appwrite sandbox', () => {
  it('is refused for the wrong project before its key is checked', () => {
    const context = { store: new IdentityStore(() => new Date()), projectId: 'p', apiKey: 'standard_key' };
    const headers = { 'x-appwrite-project': 'other', 'x-appwrite-key': 'standard_old' };

    expect(() => identifyCaller(headers, context))
      .to.throw(IdentityError)
      .with.property('type', 'project_not_found');
  });
});
