import { expect } from 'chai';
import { identifyCaller } from '../../../../src/sandbox/appwrite/identity-caller.js';
import { IdentityError } from '../../../../src/sandbox/appwrite/identity-error.js';
import { IdentityStore } from '../../../../src/sandbox/appwrite/identity-store.js';

describe('A caller of the Appwrite sandbox', () => {
  const store = new IdentityStore(() => new Date(), 1000);
  const keys = [{ secret: 'standard_old', scopes: ['users.read'], isExpired: true }] as const;

  it('is refused with an expired key, with an error type for that case', () => {
    const headers = { 'x-appwrite-project': 'p', 'x-appwrite-key': 'standard_old' };

    expect(() => identifyCaller(headers, store, 'p', keys))
      .to.throw(IdentityError)
      .with.property('type', 'project_key_expired');
  });

  it('is refused for the wrong project before its key is checked', () => {
    const headers = { 'x-appwrite-project': 'other', 'x-appwrite-key': 'standard_old' };

    expect(() => identifyCaller(headers, store, 'p', keys))
      .to.throw(IdentityError)
      .with.property('type', 'project_not_found');
  });
});
