import type { Content, ContentCall } from '../content.js';
import type { StoredDocument } from '../files/document-store.js';
import { invalidParameter } from '../wire/api-failure.js';
import { isVisible } from './file-repository.js';

/**
 * Metadata of a file.
 *
 * @see docs/protocol/redcap.md 11.2 (client): the ID is confirmed, the other keys are ours (choice)
 */
export const fileInfo: Content = {
  name: 'fileinfo',
  actions: {
    export: {
      rights: ['api_export'],
      run: (call) => {
        const { id, name, type, bytes } = documentOf(call);
        return {
          kind: 'object',
          row: { doc_id: id, doc_name: name, mime_type: type, doc_size: bytes.length },
        };
      },
    },
  },
};

/** The size of a file in bytes, as text. @see docs/protocol/redcap.md 11.2 (client) */
export const fileSize: Content = {
  name: 'filesize',
  actions: {
    export: {
      rights: ['api_export'],
      run: (call) => ({ kind: 'text', text: String(documentOf(call).bytes.length) }),
    },
  },
};

/** Finds the document. If the caller may not see its record or folder, it is treated as missing. */
function documentOf(call: ContentCall): StoredDocument {
  const { project, parameters, caller } = call;
  const id = Number(parameters.text('doc_id'));
  const document = project.documents.get(id);
  const record = project.records.get(project.documents.recordOf(id) ?? '');
  const folder = project.repository.folder(project.repository.placeOf(id) ?? 0);
  const isHidden =
    (record !== undefined && !caller.sees(record)) || (folder !== undefined && !isVisible(call, folder));
  if (document === undefined || isHidden) throw invalidParameter('doc_id');
  return document;
}
