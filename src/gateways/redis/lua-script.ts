import { createHash } from 'node:crypto';

/** A script that Redis runs as one step: nobody sees what is between its commands. */
export interface LuaScript {
  readonly source: string;
  /** What Redis knows it by once it has seen it. */
  readonly sha1: string;
}

export function luaScript(source: string): LuaScript {
  return { source, sha1: createHash('sha1').update(source).digest('hex') };
}
