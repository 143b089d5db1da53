/** What a command may do: whoever has the API token may read records, and the log as far as REDCap lets them. */
export const TOKEN_SCOPES = ['project:read', 'records:read', 'logs:read'] as const;
