/** Quotes names and texts for SQL. */
import { RESERVED } from './reserved.ts'

const PLAIN = /^[a-z_][a-z0-9_]*$/

/**
 * Quotes a name as `quote_ident` of PostgreSQL does.
 * @throws TypeError for a text that cannot be a name
 */
export function quotedName(name: string): string {
  if (PLAIN.test(name) && !RESERVED.has(name)) return name
  if (name === '' || name.includes('\0'))
    throw new TypeError(`${JSON.stringify(name)} is not a valid name in a database.`)
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * Quotes a text. The result is valid for both values of `standard_conforming_strings`.
 * @throws TypeError for the character NUL, which PostgreSQL does not allow in texts
 */
export function quotedText(text: string): string {
  if (text.includes('\0')) throw new TypeError('A text in a statement contains the character NUL.')
  const quoted = text.replaceAll("'", "''")
  return quoted.includes('\\') ? `E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`
}

/** Returns the text of an array in PostgreSQL's input format. */
export function arrayText(items: readonly unknown[]): string {
  const texts = items.map((item) =>
    item === null || item === undefined ? 'NULL' : `"${String(item).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
  )
  return `{${texts.join(',')}}`
}
