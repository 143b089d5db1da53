import { expect } from 'chai';
import type { Field } from '../../../src/domain/dictionary/field.js';
import type {
  CrfClient,
  ExportRecordsOptions,
  ProjectUser,
  RecordRow,
} from '../../../src/gateways/redcap/crf-client.js';
import { Email } from '../../../src/domain/identifiers/email.js';
import { UserFinder } from '../../../src/services/user-finder.js';
import { rejection } from '../../support/rejection.js';

const field = (name: string): Field => ({ name }) as Field;
const person = (username: string, email: string): ProjectUser => ({ username, email }) as ProjectUser;

/** A project of which the service sees only fields, records and users. */
function project(parts: { fields?: string[]; rows?: RecordRow[]; users?: ProjectUser[] }) {
  const asked: ExportRecordsOptions[] = [];
  const reader = {
    fields: { list: async () => (parts.fields ?? ['record_id']).map(field) },
    exportRecords: async (options: ExportRecordsOptions) => {
      asked.push(options);
      return parts.rows ?? [];
    },
    users: { list: async () => parts.users ?? [] },
  } as unknown as CrfClient;
  return { reader, asked };
}

describe('UserFinder', () => {
  const ada = Email('ada@example.org');
  const withUserFields = ['record_id', 'email', 'userid'];

  it('searches the records if the data dictionary has both fields', async () => {
    const { reader } = project({
      fields: withUserFields,
      rows: [{ email: 'Ada@example.org', userid: 'ada' }],
    });

    expect(await new UserFinder(reader).find(ada)).to.deep.equal({
      id: 'ada',
      email: 'Ada@example.org',
      source: 'records',
    });
  });

  it('searches the project users if one of the fields is missing', async () => {
    const { reader } = project({
      fields: ['record_id', 'email'],
      users: [person('ada.l', 'ADA@example.org')],
    });

    expect(await new UserFinder(reader).find(ada)).to.include({ id: 'ada.l', source: 'project-users' });
  });

  it('exports only the two fields and the record id', async () => {
    const { reader, asked } = project({ fields: withUserFields });

    await rejection(new UserFinder(reader).find(ada));

    expect(asked[0]?.fields).to.deep.equal(['record_id', 'email', 'userid']);
    expect(asked[0]?.filterLogic).to.equal("lower([email]) = 'ada@example.org'");
  });

  it('reports user_not_found for an unknown address', async () => {
    const { reader } = project({ users: [person('bob', 'bob@example.org')] });

    expect(await rejection(new UserFinder(reader).find(ada))).to.have.property('code', 'user_not_found');
  });

  it('reports user_not_found if the record has no user id', async () => {
    const { reader } = project({ fields: withUserFields, rows: [{ email: 'ada@example.org', userid: '' }] });

    expect(await rejection(new UserFinder(reader).find(ada))).to.have.property('code', 'user_not_found');
  });

  it('refuses to choose between two users with one address', async () => {
    const { reader } = project({
      users: [person('ada', 'ada@example.org'), person('ada2', 'ada@example.org')],
    });

    const error = await rejection(new UserFinder(reader).find(ada));

    expect(error).to.have.property('code', 'ambiguous_user');
    expect(error.message).to.not.include('example.org');
  });

  it('treats several rows with the same user id as one person', async () => {
    const row = { email: 'ada@example.org', userid: 'ada' };
    const { reader } = project({ fields: withUserFields, rows: [row, row] });

    expect((await new UserFinder(reader).find(ada)).id).to.equal('ada');
  });

  it('ignores rows with another address, whatever REDCap filtered', async () => {
    const { reader } = project({
      fields: withUserFields,
      rows: [
        { email: 'eve@example.org', userid: 'eve' },
        { email: 'ada@example.org', userid: 'ada' },
      ],
    });

    expect((await new UserFinder(reader).find(ada)).id).to.equal('ada');
  });

  it('uses the source that the operator chose', async () => {
    const { reader, asked } = project({ fields: withUserFields, users: [person('ada', 'ada@example.org')] });

    expect((await new UserFinder(reader, { userSource: 'project-users' }).find(ada)).source).to.equal(
      'project-users',
    );
    expect(asked).to.deep.equal([]);
  });
});

describe('CrfService.findUser, for addresses that could break out of the filter (IN-06)', () => {
  for (const address of [
    'a=b@example.org',
    'a[age]>0@example.org',
    'a)or(1=1@example.org',
    'a#//@example.org',
  ]) {
    it(`keeps ${address} inside one quoted string`, async () => {
      const { reader, asked } = project({ fields: ['record_id', 'email', 'userid'] });

      await rejection(new UserFinder(reader).find(Email(address)));

      expect(asked[0]?.filterLogic).to.equal(`lower([email]) = '${address.toLowerCase()}'`);
    });
  }

  it('refuses a backslash, which a server might read as an escape', async () => {
    const { reader, asked } = project({ fields: ['record_id', 'email', 'userid'] });

    const error = await rejection(new UserFinder(reader).find(Email('a\\@example.org')));

    expect(error).to.have.property('code', 'invalid_request');
    expect(asked).to.deep.equal([]);
  });
});
