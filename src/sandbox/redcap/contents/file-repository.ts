import type { ContentCall } from '../content.js';
import { EMPTY_ANSWER, fileAnswer, type Folder, type StoredDocument } from '../files/document-store.js';
import { type Answer, listAnswer, type Row } from '../../../wire/answer.js';
import { ApiFailure, invalidParameter } from '../../../wire/api-failure.js';

// @see docs/protocol/redcap.md 11.3 (client)

/** Lists folders first, then files. From 16.0.8 on, entries in CSV and XML have two more columns: `role` and `dag`. */
export function listDocuments(call: ContentCall): Answer {
  const { project, version } = call;
  const place = folderOf(call);
  const hasRestrictions = version.isAtLeast('16.0.8');
  const folders = project.repository.foldersIn(place).filter((folder) => isVisible(call, folder));
  const documents = [...project.repository.places].flatMap(([id, folder]) =>
    folder === place ? (project.documents.get(id) ?? []) : [],
  );
  const uniqueNameOf = (groupId: number): string =>
    project.groups.find((group) => group.id === groupId)?.uniqueName ?? '';
  const rows: Row[] = [
    ...folders.map(({ id, name, role, groupId }) => ({
      folder_id: id,
      name,
      ...(hasRestrictions && role !== '' && { role }),
      ...(hasRestrictions && groupId !== undefined && { dag: uniqueNameOf(groupId) }),
    })),
    ...documents.map(({ id, name }) => ({ doc_id: id, name })),
  ];
  if (call.format === 'json') return { kind: 'written', body: JSON.stringify(rows), format: 'json' };
  const columns = ['folder_id', 'doc_id', 'name', ...(hasRestrictions ? ['role', 'dag'] : [])];
  return listAnswer(rows, columns);
}

export function createFolder(call: ContentCall): Answer {
  const { project, parameters } = call;
  const name = parameters.text('name').trim();
  if (name === '' || name.length > 150) throw invalidParameter('name');
  const parent = folderOf(call);
  if (project.repository.foldersIn(parent).some((folder) => folder.name === name)) {
    throw new ApiFailure(400, 'A folder with that name already exists in that folder.');
  }
  const [groupId, role] = [parameters.text('dag_id'), parameters.text('role_id')];
  if (groupId !== '' && !project.groups.some(({ id }) => String(id) === groupId))
    throw invalidParameter('dag_id');
  if (role !== '' && !project.roles.some(({ uniqueName }) => uniqueName === role))
    throw invalidParameter('role_id');
  const { folders } = project.repository;
  const id = folders.length + 1;
  folders.push({ id, name, parent, groupId: groupId === '' ? undefined : Number(groupId), role });
  const answer = listAnswer([{ folder_id: id }], ['folder_id']);
  // @see docs/protocol/redcap.md 1.8 (doc)
  return { ...answer, root: 'folders', element: 'folder' };
}

export function exportDocument(call: ContentCall): Answer {
  return fileAnswer(documentOf(call));
}

export function importDocument(call: ContentCall): Answer {
  const { project, parameters } = call;
  const place = folderOf(call);
  if (parameters.file === undefined) throw invalidParameter('file');
  const document = project.documents.add(parameters.file);
  project.repository.places.set(document.id, place);
  return EMPTY_ANSWER;
}

export function deleteDocument(call: ContentCall): Answer {
  const { id } = documentOf(call);
  call.project.repository.places.delete(id);
  call.project.documents.remove(id);
  return EMPTY_ANSWER;
}

/** @returns the number of the folder in the call, 0 for the top level */
function folderOf(call: ContentCall): number {
  const text = call.parameters.text('folder_id');
  if (text === '') return 0;
  const folder = /^\d{1,9}$/.test(text) ? call.project.repository.folder(Number(text)) : undefined;
  if (folder === undefined || !isVisible(call, folder)) {
    throw new ApiFailure(
      400,
      `The File Repository folder folder_id=${text} does not exist or else you do not have permission to that folder because it is DAG-restricted or Role-restricted.`,
    );
  }
  return folder.id;
}

/** Finds a document of the file repository. */
function documentOf(call: ContentCall): StoredDocument {
  const document = anyDocumentOf(call);
  if (!call.project.repository.places.has(document.id)) throw invalidParameter('doc_id');
  return document;
}

/**
 * Whether the caller may see a folder and the folders that it is in: a restricted one is visible to its group or role,
 * and to callers without one.
 */
function isVisible(call: ContentCall, { groupId, role, parent }: Folder): boolean {
  const { project, caller } = call;
  const outer = project.repository.folder(parent);
  if (outer !== undefined && !isVisible(call, outer)) return false;
  const isOfGroup =
    groupId === undefined || caller.group === '' || project.group(caller.group)?.id === groupId;
  return isOfGroup && (role === '' || caller.user.role === '' || caller.user.role === role);
}

/**
 * Metadata of a file.
 *
 * @see docs/protocol/redcap.md 11.2 (client): the ID is confirmed, the other keys are ours (choice)
 */
export function exportFileInfo(call: ContentCall): Answer {
  const { id, name, type, bytes } = anyDocumentOf(call);
  return { kind: 'object', row: { doc_id: id, doc_name: name, mime_type: type, doc_size: bytes.length } };
}

/** The size of a file in bytes, as text. @see docs/protocol/redcap.md 11.2 (client) */
export function exportFileSize(call: ContentCall): Answer {
  return { kind: 'text', text: String(anyDocumentOf(call).bytes.length) };
}

/** Finds the document. If the caller may not see its record or folder, it is treated as missing. */
function anyDocumentOf(call: ContentCall): StoredDocument {
  const { project, parameters, caller } = call;
  const id = Number(parameters.text('doc_id'));
  const document = project.documents.get(id);
  const record = project.records.get(project.documents.recordOf(id) ?? '');
  const folder = project.repository.folder(project.repository.places.get(id) ?? 0);
  const isHidden =
    (record !== undefined && !caller.sees(record)) || (folder !== undefined && !isVisible(call, folder));
  if (document === undefined || isHidden) throw invalidParameter('doc_id');
  return document;
}
