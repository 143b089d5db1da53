import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import type { DataAccessGroup, UserRights } from '../../../src/client.js';
import { CrfError } from '../../../src/domain/errors/crf-error.js';
import { CALLS } from '../../support/calls-by-pair.js';

// No server has this address, so a call that was not refused fails with `upstream_unavailable`.
const client = createCrfClient({
  url: 'http://127.0.0.1:1/api/',
  token: 'A'.repeat(32),
  resilience: { maxRetries: 0, breakerFailures: 0 },
});

type Given<Method> = Method extends (...given: infer Arguments) => unknown ? Partial<Arguments> : never;

const file = { name: 'a.txt', bytes: [Buffer.from('a')] };

/** Right arguments in front of the options, of methods that make no call of their own or whose call has options. */
const OF_CLIENT: { readonly [Name in keyof CrfClient]?: Given<CrfClient[Name]> } = {
  ping: [],
  openRecords: [{ format: 'json' }],
  streamRecords: [],
  getRecord: ['1'],
  importRecords: [[{ record_id: '1' }]],
  rows: ['visit_1'],
  importRows: [[{ record_id: '1' }]],
  importData: ['[]', { format: 'json' }],
  checkImport: [() => '[]', { format: 'json' }],
  checkFilterLogic: ['[age] > 1'],
  findProjectUser: ['ada@example.org'],
  call: ['tag', {}, undefined],
  forward: [{ parameters: {}, isRead: true }],
  where: ['age'],
};
const OF_GROUPS: Readonly<Record<string, readonly unknown[]>> = {
  'project.create': [{ title: 'A', purpose: 0 }],
  'log.open': [],
  'log.stream': [],
  'fileRepository.list': [undefined],
  'fileRepository.put': [file],
  'pdf.get': [{}],
  'pdf.getAll': [],
  'reports.open': [1, { format: 'json' }],
};

/** The method and the arguments of each call in `CALLS`, of which none is made. */
const OF_CALLS = await Promise.all(
  Object.values(CALLS).map(
    ([, call]) =>
      new Promise<readonly [name: string, given: readonly unknown[]]>((resolve) => {
        const never = new Promise<never>(() => undefined);
        const member = (path: string): object =>
          new Proxy(() => undefined, {
            get: (_method, name) => member(path === '' ? String(name) : `${path}.${String(name)}`),
            apply: (_method, _self, given: readonly unknown[]) => (resolve([path, given]), never),
          });
        void call(member('') as CrfClient);
      }),
  ),
);

/** Methods without options. */
const WITHOUT_OPTIONS = ['client.where'];
/** Methods whose last argument has options that are needed. */
const HAS_NEEDED_OPTIONS = [
  'client.openRecords',
  'client.importData',
  'client.checkImport',
  'client.reports.open',
];

type Call = (...given: readonly unknown[]) => unknown;

interface Called {
  readonly name: string;
  readonly call: (...given: readonly unknown[]) => Promise<unknown>;
  readonly right: readonly unknown[];
  /** Where the options are. */
  readonly at: number;
}

const METHODS: readonly Called[] = Object.entries({
  ...Object.fromEntries(OF_CALLS),
  ...OF_CLIENT,
  ...OF_GROUPS,
}).map(([path, right]) => {
  const name = `client.${path}`;
  const [method = '', group] = path.split('.').toReversed();
  const target = group === undefined ? client : (Reflect.get(client, group) as object);
  return {
    name,
    right,
    at: HAS_NEEDED_OPTIONS.includes(name) ? right.length - 1 : right.length,
    call: async (...given) => {
      const answer: unknown = await Reflect.apply(Reflect.get(target, method) as Call, target, given);
      if (isIterator(answer)) await answer.next();
      return answer;
    },
  };
});

function isIterator(value: unknown): value is AsyncIterator<unknown> {
  return typeof value === 'object' && value !== null && 'next' in value;
}

/** Returns the names of the methods that an object has at run time. */
function methodsOf(target: object): string[] {
  return Object.entries(target)
    .filter(([name, member]) => typeof member === 'function' && name !== 'close' && name !== 'clearCache')
    .map(([name]) => name);
}

async function failureOf(call: () => Promise<unknown>): Promise<unknown> {
  return call().then(
    () => undefined,
    (error: unknown) => error,
  );
}

after(() => client.close());

describe('The arguments of the client', () => {
  it('are checked for every method that there is', () => {
    const groups = Object.entries(client).filter(([, value]) => typeof value === 'object');
    const names = [
      ...methodsOf(client).map((name) => `client.${name}`),
      ...groups.flatMap(([group, methods]) =>
        methodsOf(methods as object).map((name) => `client.${group}.${name}`),
      ),
    ];

    expect(METHODS.map(({ name }) => name)).to.have.members(
      names,
      'tests/support/calls-by-pair.ts has no call of the method',
    );
  });

  for (const { name, call, right, at } of METHODS) {
    const withOptions = (options: unknown) => () => call(...right.slice(0, at), options);

    it(`${name} never answers wrong ones with an error of the language`, async () => {
      const wrong = [
        undefined,
        null,
        'SENTINEL',
        7,
        true,
        [],
        [null],
        {},
        { SENTINEL: 1 },
        Symbol('SENTINEL'),
      ];
      const calls = [[], ...wrong.flatMap((value) => [0, 1, 2, 3].map((index) => put(right, index, value)))];
      for (const given of calls) {
        const failure = await failureOf(() => call(...given));
        if (failure !== undefined) expect(failure).to.be.instanceOf(CrfError);
      }
    });

    if (WITHOUT_OPTIONS.includes(name)) continue;

    it(`${name} refuses an option that does not exist`, async () => {
      const own = right[at] as object | undefined;
      const failure = await failureOf(withOptions({ ...own, signl: undefined }));

      expect(failure).to.include({
        code: 'invalid_request',
        message: 'signl is not an option; did you mean signal?',
      });
    });

    it(`${name} refuses options of another type`, async () => {
      const own = right[at] as object | undefined;
      for (const options of ['SENTINEL', null, ['SENTINEL']]) {
        expect(await failureOf(withOptions(options))).to.have.property(
          'message',
          'options must be an object.',
        );
      }
      expect(await failureOf(withOptions({ ...own, signal: 'SENTINEL' }))).to.have.property(
        'message',
        'signal must be an AbortSignal.',
      );
    });

    it(`${name} refuses arguments after the last, which it would ignore`, async () => {
      const own = right[at] ?? {};
      const failure = await failureOf(() => call(...right.slice(0, at), own, { signal: undefined }));

      expect(failure).to.have.property('code', 'invalid_request');
      expect(failure)
        .to.have.property('message')
        .that.matches(/^arguments must be \d at most\.$/);
    });

    const objects = right.slice(0, at).flatMap((argument, index) => (isRowOrPlace(argument) ? [index] : []));
    for (const index of objects) {
      if (['client.importRecords', 'client.importRows', 'client.call'].includes(name)) continue; // any names
      it(`${name} refuses a property that does not exist in argument ${index + 1}`, async () => {
        const argument = right[index];
        const wrong = Array.isArray(argument)
          ? [{ ...(argument[0] as object | undefined), nonesuch: 1 }]
          : { ...(argument as object), nonesuch: 1 };
        const failure = await failureOf(() => call(...put(right, index, wrong)));

        expect(failure).to.have.property('code', 'invalid_request');
        expect(failure)
          .to.have.property('message')
          .that.matches(/^(\w+\[0\]\.)?nonesuch is not (a property|an option)\.$/);
      });
    }
  }
});

describe('An argument that would make the client do something else', () => {
  const rows = [{ record_id: '1' }];
  const cases: readonly [string, () => Promise<unknown>, string][] = [
    [
      'a misspelt filter',
      () => client.exportRecords({ field: ['age'] } as object),
      'field is not an option; did you mean fields?',
    ],
    [
      'a limit of another method',
      () => client.openRecords({ format: 'json', limit: 5 } as never),
      'limit is not an option.',
    ],
    [
      'a misspelt time',
      () => client.log.list({ form: '2026-01-01 00:00' } as object),
      'form is not an option; did you mean from?',
    ],
    [
      'a misspelt event',
      () => client.files.put({ record: '1', field: 'consent_form', evnt: 'x' } as never, file),
      'evnt is not a property; did you mean event?',
    ],
    [
      'a misspelt group',
      () => client.users.put([{ username: 'ada', dagg: 'lyon' } as never]),
      'users[0].dagg is not a property; did you mean dag?',
    ],
    [
      'a misspelt part',
      () => client.records.delete(['1'], { instrumnt: 'visit_1' } as object),
      'instrumnt is not an option; did you mean instrument?',
    ],
    [
      'options beside the selection',
      () => client.pdf.getAll({ record: '1' } as object),
      'record is not an option.',
    ],
    [
      'a text for a flag',
      () => client.arms.put([{ number: 1, name: 'A' }], { replace: 'false' } as never),
      'replace must be true or false.',
    ],
    [
      'a text for a flag',
      () => client.records.delete(['1'], { deleteLogging: 'false' } as never),
      'deleteLogging must be true or false.',
    ],
    ['an unknown word', () => client.exportRecords({ type: 'EAV' } as never), 'type must be flat or eav.'],
    [
      'an unknown word',
      () => client.exportRecords({ rawOrLabel: 'labels' } as never),
      'rawOrLabel must be raw or label.',
    ],
    [
      'an unknown word',
      () => client.importRecords(rows, { overwriteBehavior: 'Overwrite' } as never),
      'overwriteBehavior must be normal or overwrite.',
    ],
    [
      'an unknown word',
      () => client.importRecords(rows, { dateFormat: 'dmy' } as never),
      'dateFormat must be YMD, MDY or DMY.',
    ],
    [
      'a content that is missing',
      () => client.call(undefined as never),
      "content must be the name of a content of REDCap's API.",
    ],
    [
      'null as a number',
      async () => client.where('age').eq(null as never),
      'age must be compared with a number without an exponent.',
    ],
    [
      'a name that is missing',
      async () => client.where(undefined as never),
      'field must be the name of a field.',
    ],
  ];
  for (const [what, call, message] of cases) {
    it(`is refused: ${what}, ${message}`, async () => {
      expect(await failureOf(call)).to.include({ code: 'invalid_request', message });
    });
  }

  it('is never what the client itself exported', async () => {
    // Refused for its address, after the arguments were accepted.
    const user: UserRights = {
      ...{ username: 'ada', email: '', firstName: '', lastName: '', expiration: '', dag: '' },
      ...{ dagId: 1, rights: {}, forms: {}, formsExport: {} },
    };
    const group: DataAccessGroup = { name: 'Lyon', uniqueName: 'lyon', id: 1 };
    const calls = [() => client.users.put([user]), () => client.dags.put([group])];
    for (const call of calls) expect(await failureOf(call)).to.have.property('code', 'upstream_unavailable');
  });
});

function put(given: readonly unknown[], index: number, value: unknown): unknown[] {
  const changed = [...given];
  changed[index] = value;
  return changed;
}

function isRowOrPlace(argument: unknown): boolean {
  const item: unknown = Array.isArray(argument) ? argument[0] : argument;
  return typeof item === 'object' && item !== null && !Buffer.isBuffer(item);
}
