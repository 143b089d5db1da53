import { expect } from 'chai';
import { describeReport, surprisesOf, type ClientReport } from '../../clients/outcome.js';

describe('surprisesOf', () => {
  const report: ClientReport = {
    client: 'Client',
    version: '1.0',
    outcomes: [
      { test: 'reads', state: 'passed', detail: '' },
      { test: 'opens a page', state: 'failed', detail: 'no page' },
      { test: 'writes', state: 'failed', detail: 'expected 2' },
    ],
    methods: { read: true, write: false },
    exceptions: [
      { test: 'opens a page', reason: 'asks for a page of the server' },
      { test: 'reads', reason: 'was broken once' },
    ],
  };

  it('lists the failures without an exception and the exceptions without a failure', () => {
    const { failures, stale } = surprisesOf(report);

    expect(failures.map(({ test }) => test)).to.deep.equal(['writes']);
    expect(stale.map(({ test }) => test)).to.deep.equal(['reads']);
  });

  it('treats a skipped test as one that did not pass', () => {
    const skipped = { test: 'sends mail', state: 'skipped', detail: '' } as const;

    expect(surprisesOf({ ...report, outcomes: [skipped] }).failures).to.deep.equal([skipped]);
  });

  it('is reported with the figures and the reasons', () => {
    expect(describeReport(report)).to.equal(
      [
        'Client 1.0',
        '  methods  1 of 2',
        '           without a success: write',
        '  tests    1 of 3',
        '           failed, as known: opens a page (asks for a page of the server)',
        '  FAILED  writes',
        '           expected 2',
        '  STALE EXCEPTION  reads passed or does not exist',
        '',
      ].join('\n'),
    );
  });
});
