import type { SandboxProject } from '../project.js';
import type { StudyUser } from '../study.js';
import type { Answer, Row } from '../wire/answer.js';

/** @see protocol reference 10.3 (client): the keys in this order */
export function users(project: SandboxProject): Answer {
  const rows = project.study.users.map((user) => toRow(project, user));
  return {
    kind: 'list',
    columns: Object.keys(rows[0] ?? {}),
    rows: rows.map((row) => Object.values(row)),
    root: 'items',
    csv: { hasTrailingLineFeed: true },
  };
}

function toRow(project: SandboxProject, user: StudyUser): Row {
  const forms = (right: number): Record<string, number> =>
    Object.fromEntries(project.study.instruments.map(({ name }) => [name, right]));
  return {
    username: user.username,
    email: user.email,
    firstname: user.firstName,
    lastname: user.lastName,
    expiration: '',
    data_access_group: '',
    data_access_group_id: '',
    data_access_group_label: '',
    design: 0,
    alerts: 0,
    user_rights: 0,
    data_access_groups: 0,
    reports: 1,
    stats_and_charts: 1,
    manage_survey_participants: 1,
    calendar: 1,
    data_import_tool: Number(user.mayImport),
    data_comparison_tool: 0,
    logging: 0,
    email_logging: 0,
    file_repository: 1,
    data_quality_create: 0,
    data_quality_execute: 0,
    api_export: Number(user.mayExport),
    api_import: Number(user.mayImport),
    api_modules: 0,
    mobile_app: 0,
    mobile_app_download_data: 0,
    record_create: Number(user.mayImport),
    record_rename: 0,
    record_delete: Number(user.mayDelete),
    lock_records_all_forms: 0,
    lock_records: 0,
    lock_records_customization: 0,
    forms: forms(user.mayImport ? 130 : 129), // 15.6: 130 edit, 129 read only (doc)
    forms_export: forms(user.mayExport ? 1 : 0),
  };
}
