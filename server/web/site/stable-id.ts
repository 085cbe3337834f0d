/** Creates stable numeric ids for entries of a site that are defined in files and have no id. */
import { createHash } from 'node:crypto'

/** Returns a number below 2^48 as decimal digits, derived from a text such as a file's path or name. */
export function stableId(text: string): string {
  return String(createHash('sha256').update(text).digest().readUIntBE(0, 6))
}
