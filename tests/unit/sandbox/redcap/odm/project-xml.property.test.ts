import { expect } from 'chai';
import fc from 'fast-check';
import { DEMO_USERS } from '../../../../../src/sandbox/demo-study/demo-study.js';
import { fillProject } from '../../../../../src/sandbox/redcap/records/load-rows.js';
import { readProjectXml } from '../../../../../src/sandbox/redcap/odm/read-project-xml.js';
import { SandboxProject } from '../../../../../src/sandbox/redcap/project.js';
import { projectRow } from '../../../../../src/sandbox/redcap/project-row.js';
import { formRightsOf } from '../../../../../src/sandbox/redcap/rights-rows.js';
import { ServerVersion } from '../../../../../src/wire/server-version.js';
import type { Study } from '../../../../../src/sandbox/redcap/study.js';
import { projectXmlOf } from '../../../../support/project-xml-of.js';
import { ODM_PROJECT } from './random-project.js';

const clock = (): Date => new Date('2026-11-22T08:00:00Z');

function projectOf(study: Study): SandboxProject {
  const project = new SandboxProject(study, clock);
  fillProject(project, study);
  return project;
}

async function loaded(xml: string): Promise<SandboxProject> {
  const { study, notes } = await readProjectXml(xml);
  expect(notes).to.deep.equal([]);
  return projectOf({ ...study, users: DEMO_USERS });
}

/** The design and all stored data, except what a project XML omits: users and the creation time. */
function contentsOf(project: SandboxProject): unknown {
  const { study } = project;
  const { creation_time: _made, ...about } = projectRow(project, new ServerVersion('16.1.9'));
  return {
    about,
    fields: study.fields,
    instruments: study.instruments,
    events: study.events,
    arms: study.arms,
    mappings: inOrder(study.mappings),
    repeating: inOrder(project.repeating),
    groups: project.groups,
    roles: project.roles.map((role) => ({
      ...role,
      formRights: formRightsOf(project, role),
      others: undefined,
    })),
    surveys: study.surveys?.map((survey) => ({ ...survey, others: undefined })),
    reports: study.reports?.map((report) => ({ ...report, others: undefined })),
    records: project.records.inOrder().map((record) => ({
      id: record.id,
      group: record.group,
      identifier: record.surveyIdentifier,
      rows: [...record.rows]
        .map(({ values, ...place }) => ({ ...place, values: Object.fromEntries([...values].sort()) }))
        .sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)),
    })),
  };
}

/** Sorts designations and repeats, which are sets that a document lists by event. */
function inOrder(entries: readonly object[]): string[] {
  return entries.map((entry) => JSON.stringify(entry)).sort();
}

describe('A project that is exported as XML and read again', () => {
  it('has the same design, records and files', async () => {
    await fc.assert(
      fc.asyncProperty(ODM_PROJECT, async (study) => {
        const before = projectOf(study);
        const xml = await projectXmlOf(before);
        const after = await loaded(xml);

        expect(contentsOf(after)).to.deep.equal(contentsOf(before));
        expect(await projectXmlOf(after)).to.equal(xml);
      }),
      { numRuns: 40 },
    );
  });
});
