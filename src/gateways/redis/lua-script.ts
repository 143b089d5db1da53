import { createHash } from 'node:crypto';

/** A script that Redis runs atomically. */
export interface LuaScript {
  readonly source: string;
  /** The digest by which Redis knows a script it has already seen. */
  readonly sha1: string;
}

export function luaScript(source: string): LuaScript {
  return { source, sha1: createHash('sha1').update(source).digest('hex') };
}
