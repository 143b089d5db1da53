import { expect } from 'chai';
import { text } from 'node:stream/consumers';
import type { CrfCalls, OpenReportOptions } from '../../../src/gateways/redcap/crf-client.js';
import { restrict } from '../../../src/policy/restrict.js';
import type { Study, StudyReport } from '../../../src/sandbox/redcap/study.js';
import { rejection } from '../../support/rejection.js';
import { sandboxCalls } from '../../support/sandbox-client.js';
import { classicStudy, longitudinalStudy } from '../../support/studies.js';
import { viewOf } from '../../support/view-of.js';

const read = (...names: string[]) => new Map(names.map((name) => [name, 'read' as const]));

const FORMS: readonly OpenReportOptions[] = [
  { format: 'json' },
  { format: 'csv' },
  { format: 'csv', rawOrLabel: 'label', rawOrLabelHeaders: 'label', csvDelimiter: ';' },
  { format: 'json', rawOrLabel: 'label', exportCheckboxLabel: true },
  { format: 'csv', decimalCharacter: ',' },
];

describe('The reports of a view', () => {
  const start = sandboxCalls();

  const textOf = async (calls: CrfCalls, id: number, form: OpenReportOptions): Promise<string> =>
    text(await calls.reports.open(id, form));

  const report = (id: number, more: Partial<StudyReport> = {}): StudyReport => ({
    id,
    title: 'Ages',
    fields: ['weight', 'sites', 'born', 'age'],
    filterLogic: '[age] > 15',
    ...more,
  });

  const ofGroups = (): Study => {
    const study = classicStudy();
    return {
      ...study,
      groups: [
        { id: 1, name: 'Paris', uniqueName: 'paris' },
        { id: 2, name: 'Rome', uniqueName: 'rome' },
      ],
      rows: study.rows.map((row) => ({
        ...row,
        redcap_data_access_group: row.id === '2' ? 'rome' : 'paris',
      })),
      reports: [
        report(12),
        report(13, { others: { combine_checkbox_values: '1', output_dags: '1' } }),
        report(14, { filterLogic: '[age] > 1000' }),
      ],
    };
  };
  const ofParis = viewOf({
    fields: read('id', 'age', 'sites', 'weight', 'twice'),
    forms: read('base'),
    rows: { kind: 'dag', dag: 'paris' },
    reports: new Set([12, 13, 14]),
  });

  it('have the rows and fields of the view, in the order of the report and in every form', async () => {
    const whole = ofGroups();
    const smaller: Study = {
      ...whole,
      fields: whole.fields.filter(({ name }) => name !== 'born'),
      rows: whole.rows.filter((row) => row.redcap_data_access_group === 'paris'),
    };
    const restricted = restrict(await start(whole), ofParis);
    const expected = await start(smaller);

    for (const id of [12, 13, 14]) {
      for (const form of FORMS)
        expect(await textOf(restricted, id, form), `${id} ${JSON.stringify(form)}`).to.equal(
          await textOf(expected, id, form),
        );
      expect(await restricted.reports.get(id)).to.deep.equal(await expected.reports.get(id));
    }
  });

  it('have no row of a hidden form in a project with events', async () => {
    const study = longitudinalStudy();
    const whole = { ...study, reports: [report(12, { fields: ['pulse', 'drug'], filterLogic: '' })] };
    const shown = viewOf({ fields: read('id', 'drug'), forms: read('meds'), reports: new Set([12]) });
    const rows = await restrict(await start(whole), shown).reports.get(12);

    expect(rows.map(({ drug, redcap_repeat_instance }) => [redcap_repeat_instance, drug])).to.deep.equal([
      [1, 'drug x'],
      [2, 'drug y'],
    ]);
    expect(Object.keys(rows[0] ?? {})).to.not.include('pulse');
  });

  it('exist only if the policy lists them', async () => {
    const calls = await start(ofGroups());
    const restricted = restrict(calls, viewOf({ ...ofParis, reports: new Set([12]) }));
    const unknown = await rejection(calls.reports.get(99));

    for (const id of [13, 99])
      expect(await rejection(restricted.reports.get(id))).to.include({
        code: 'report_not_found',
        message: unknown.message,
      });
  });
});
