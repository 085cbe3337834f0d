/** Numbers of what a site has in files, which have none of their own. */
import { createHash } from 'node:crypto'

/** A number that stays the same as long as the text does: of a file's path, or of a name. Decimal digits, below 2^48. */
export function stableId(text: string): string {
  return String(createHash('sha256').update(text).digest().readUIntBE(0, 6))
}
