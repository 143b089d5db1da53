import { expect } from 'chai';
import { assembleServices } from '../../../../src/app/assemble-state.js';
import { createCrfClient } from '../../../../src/client/create-crf-client.js';
import { AuditUnavailableError } from '../../../../src/errors/operator-errors.js';
import { enteredFirst } from '../../../../src/services/audit/entered-first.js';
import type { Services } from '../../../../src/services/services.js';
import { rejection } from '../../../support/rejection.js';
import { startTestSandbox } from '../../../support/start-sandbox.js';

type Operation = (services: Services) => Promise<unknown>;

const ROWS = { instrument: 'demographics', format: 'json', hasEnvelope: true, trailer: false } as const;

/** What reads nothing but the structure of the project. */
const STRUCTURE: Readonly<Record<string, Operation>> = {
  'the arms': ({ project }) => project.arms.list(),
  'the events': ({ project }) => project.events.list(),
  'the groups': ({ project }) => project.dags.list(),
  'the mappings': ({ project }) => project.places.listMappings(),
  'the repeating instruments': ({ project }) => project.places.listRepeating(),
  'the fields': ({ project }) => project.dictionary.fields(),
  'the dictionary as CSV': ({ project }) => project.dictionary.csv(),
  'the version': ({ crf }) => crf.getVersion(),
  'the project': ({ crf }) => crf.getProjectInfo(),
  'the instruments': ({ crf }) => crf.getInstruments(),
  'the names of exported fields': ({ crf }) => crf.getExportFieldNames(),
  'the validations': ({ crf }) => crf.getFieldValidations(),
  'the schema': ({ documents }) => documents.schema('raw'),
  'the types': ({ documents }) => documents.types(),
  'the document of the project': ({ documents }) => documents.openApi(),
  'the title': ({ overview }) => overview.title(),
  'the fields that have a distribution': ({ summaries }) => summaries.fields(),
  'no rows': ({ typedRows }) => typedRows.openEmpty(ROWS),
};

/** One operation on data of each kind of service: alone, beside operations on the structure, and in the group. */
const DATA: Readonly<Record<string, Operation>> = {
  'the users': ({ project }) => project.users.list(),
  'the roles': ({ project }) => project.roles.list(),
  'a change of an arm': ({ project }) => project.arms.put([{ number: 1, name: 'Arm' }], { mayDelete: false }),
  'the numbers of the study': ({ summaries }) => summaries.summary(['project:read']),
  'the next id': ({ records }) => records.nextId(),
  'the files': ({ files }) => files.list(undefined, {}),
};

describe('enteredFirst', () => {
  let asked: string[] = [];
  let entered: number;
  let isFull: boolean;
  let services: Services;
  let close: () => Promise<void>;

  before(async () => {
    const sandbox = await startTestSandbox();
    close = () => sandbox.close();
    const capture = createCrfClient({
      url: sandbox.url,
      token: sandbox.token,
      observer: {
        began: (content) => (asked.push(content), () => undefined),
        sent: () => () => undefined,
        circuitChanged: () => undefined,
      },
    });
    services = enteredFirst(assembleServices({ capture }), () => {
      entered += 1;
      return isFull ? Promise.reject(new AuditUnavailableError()) : Promise.resolve();
    });
  });
  after(() => close());
  beforeEach(() => {
    [asked, entered, isFull] = [[], 0, false];
  });

  for (const [what, read] of Object.entries(STRUCTURE)) {
    it(`GW-04: answers ${what} without an entry, also while the log is full`, async () => {
      isFull = true;
      await read(services);

      expect(entered).to.equal(0);
    });
  }

  for (const [what, run] of Object.entries(DATA)) {
    it(`GW-04: asks for ${what} only after an entry`, async () => {
      await run(services);
      expect(entered).to.equal(1);
      expect(asked).to.not.be.empty;

      [asked, isFull] = [[], true];
      expect(await rejection(run(services))).to.have.property('code', 'audit_unavailable');
      expect(asked).to.deep.equal([]);
    });
  }

  it('leaves what is no service as it is', () => {
    expect(services.pace.minBytesPerSecond).to.be.a('number');
    expect(services).to.not.have.property('then');
  });
});
