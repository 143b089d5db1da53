import { expect } from 'chai';
import { ProblemError } from '../../../../src/domain/errors/problem-error.js';
import { assembleProjects } from '../../../../src/app/assemble-state.js';
import { createCrfClient } from '../../../../src/client/create-crf-client.js';
import { enteredFirst } from '../../../../src/services/audit/entered-first.js';
import type { CrfService } from '../../../../src/services/crf-service.js';
import { rejection } from '../../../support/rejection.js';
import { startTestSandbox } from '../../../support/start-sandbox.js';

type Operation = (crf: CrfService) => Promise<unknown>;

const ROWS = { instrument: 'demographics', format: 'json', hasEnvelope: true, trailer: false } as const;

/** What reads nothing but the structure of the project. */
const STRUCTURE: Readonly<Record<string, Operation>> = {
  'the arms': ({ arms }) => arms.list(),
  'the events': ({ events }) => events.list(),
  'the groups': ({ dags }) => dags.list(),
  'the mappings': ({ mappings }) => mappings.list(),
  'the repeating instruments': ({ repeating }) => repeating.list(),
  'the fields': ({ fields }) => fields.list(),
  'the dictionary as CSV': ({ design }) => design.dictionaryCsv(),
  'the version': ({ overview }) => overview.version(),
  'the project': ({ project }) => project.getInfo(),
  'the instruments': ({ instruments }) => instruments.list(),
  'the names of exported fields': ({ exportFieldNames }) => exportFieldNames.list(),
  'the validations': ({ fieldValidations }) => fieldValidations.list(),
  'the schema': ({ documents }) => documents.schema('raw'),
  'the types': ({ documents }) => documents.types(),
  'the document of the project': ({ documents }) => documents.openApi(),
  'the title': ({ overview }) => overview.title(),
  'the fields that have a distribution': ({ summaries }) => summaries.fields(),
  'no rows': ({ typedRows }) => typedRows.openEmpty(ROWS),
};

/** One operation on data of each kind: of a group of the client, and of a service. */
const DATA: Readonly<Record<string, Operation>> = {
  'the users': ({ users }) => users.list(),
  'the roles': ({ roles }) => roles.list(),
  'a change of an arm': ({ design }) => design.put('arms', [{ number: 1, name: 'Arm' }]),
  'the numbers of the study': ({ summaries }) => summaries.summary(['project:read']),
  'the next id': ({ records }) => records.nextId(),
  'the files': ({ fileRepository }) => fileRepository.list(),
};

describe('enteredFirst', () => {
  let asked: string[] = [];
  let entered: number;
  let isFull: boolean;
  let crf: CrfService;
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
    const parts = assembleProjects({ capture }).byName.get('');
    if (parts === undefined) throw new Error('There is no project.');
    crf = enteredFirst(parts.crf, () => {
      entered += 1;
      return isFull ? Promise.reject(new ProblemError('audit_unavailable')) : Promise.resolve();
    });
  });
  after(() => close());
  beforeEach(() => {
    [asked, entered, isFull] = [[], 0, false];
  });

  for (const [what, read] of Object.entries(STRUCTURE)) {
    it(`GW-04: answers ${what} without an entry, also while the log is full`, async () => {
      isFull = true;
      await read(crf);

      expect(entered).to.equal(0);
    });
  }

  for (const [what, run] of Object.entries(DATA)) {
    it(`GW-04: asks for ${what} only after an entry`, async () => {
      await run(crf);
      expect(entered).to.equal(1);
      expect(asked).to.not.be.empty;

      [asked, isFull] = [[], true];
      expect(await rejection(run(crf))).to.have.property('code', 'audit_unavailable');
      expect(asked).to.deep.equal([]);
    });
  }

  it('GW-04: asks for nothing through an operation of its own before the entry', async () => {
    isFull = true;

    const refusal = await rejection(crf.surveyParticipants({ instrument: 'demographics' }));
    expect(refusal).to.have.property('code', 'audit_unavailable');
    expect(asked).to.deep.equal([]);
  });

  it('leaves what is no service as it is', () => {
    expect(crf.pace.minBytesPerSecond).to.be.a('number');
    expect(crf).to.not.have.property('then');
  });
});
