/** What a backup can do without, for a token that may not read it: the choices of `--without`. */
export const OPTIONAL_PARTS = ['files', 'log', 'people', 'repository', 'surveys'] as const;
