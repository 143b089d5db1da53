import { reads, type Content, type ContentCall } from '../content.js';
import { clinicalDataOf } from '../odm/write-clinical-data.js';
import { writeProjectXml } from '../odm/write-project-xml.js';
import type { Answer } from '../wire/answer.js';

/**
 * The design of a project as one XML document, with its records unless only the design is requested.
 *
 * @see docs/protocol/redcap.md 9.8 (doc, client)
 */
export const projectXml: Content = {
  name: 'project_xml',
  actions: {
    export: reads('Export project XML', exportProjectXml),
  },
};

function exportProjectXml(call: ContentCall): Answer {
  const { project, parameters, version } = call;
  const data = parameters.flag('returnMetadataOnly')
    ? undefined
    : clinicalDataOf(call, { hasFiles: parameters.flag('exportFiles') });
  return { kind: 'written', body: writeProjectXml(project, { version, data }), format: 'xml' };
}
