/** A name of a project of this service, in a path: `/projects/{name}`. */
export const PROJECT_NAME = /^[a-z][a-z0-9_-]{0,31}$/;

/** The rule that such a name follows, as the end of a sentence. */
export const PROJECT_NAME_RULE = 'must begin with a lower-case letter and have up to 32 of a-z, 0-9, - and _';
