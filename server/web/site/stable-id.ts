/** Stable numeric ids for parts of a site that are defined in files and have no id. */
import { createHash } from 'node:crypto'

/** A number derived from a text, such as a file's path or name. Decimal digits, below 2^48. */
export function stableId(text: string): string {
  return String(createHash('sha256').update(text).digest().readUIntBE(0, 6))
}
