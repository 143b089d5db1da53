import { expect } from 'chai';
import { loadProjectStructure } from '../../../../src/records/load-project-structure.js';
import { exampleFile } from '../../../../src/records/import/example-file.js';
import { createLongitudinalStudy } from '../../../../src/sandbox/longitudinal-study/longitudinal-study.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';
import { classicStudy } from '../../../support/studies.js';
import { rejection } from '../../../support/rejection.js';

describe('exampleFile', () => {
  const mistakesIn = async (study: Parameters<typeof startSandboxClient>[0]) => {
    const started = await startSandboxClient(study);
    const { client } = started;
    try {
      const example = exampleFile(await loadProjectStructure(client));
      return { example, error: await rejection(client.importRecords(rowsOf(example), { dryRun: true })) };
    } finally {
      await started.close();
    }
  };

  it('has a mistake of each kind of the study that is served, at an event that has the fields', async () => {
    const { example, error } = await mistakesIn(createLongitudinalStudy({ participants: 2 }));

    expect(example).to.match(/^record_id,redcap_event_name,/);
    expect(error).to.have.property('code', 'invalid_records');
    for (const word of ['forty', '2026-02-30']) expect(example).to.include(word);
    expect(JSON.stringify(error)).to.not.match(/redcap_event_name/);
  });

  it('has no formula, whatever the labels of the project are', async () => {
    const study = classicStudy();
    const fields = study.fields.map((field) =>
      field.name === 'sex' ? { ...field, choicesOrCalculations: '-1, Unknown | 2, =HYPERLINK("x")' } : field,
    );

    const { example } = await mistakesIn({ ...study, fields, rows: [] });

    expect(example).to.include(`"'=HYPERLINK(""x"")"`);
    expect(example).to.include(',-1,');
  });

  it('has a mistake of each kind of the classic study', async () => {
    const { example, error } = await mistakesIn(classicStudy());

    expect(example.split('\r\n')).to.have.length(6);
    expect(error).to.have.property('code', 'invalid_records');
  });
});

function rowsOf(csv: string): Record<string, string>[] {
  const [header = '', ...lines] = csv.trim().split('\r\n');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(header.split(',').map((name, at) => [name, cells[at] ?? '']));
  });
}
