/** Names and texts as SQL writes them. */
import { RESERVED } from './reserved.ts'

const PLAIN = /^[a-z_][a-z0-9_]*$/

/** A name as `quote_ident` of PostgreSQL writes it. @throws TypeError for what no name can hold */
export function quotedName(name: string): string {
  if (PLAIN.test(name) && !RESERVED.has(name)) return name
  if (name === '' || name.includes('\0')) throw new TypeError(`${JSON.stringify(name)} is no name in a database.`)
  return `"${name.replaceAll('"', '""')}"`
}

/** A text, however the database reads backslashes. @throws TypeError for the character NUL, which no text holds */
export function quotedText(text: string): string {
  if (text.includes('\0')) throw new TypeError('A text in a statement holds the character NUL.')
  const quoted = text.replaceAll("'", "''")
  return quoted.includes('\\') ? `E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`
}

/** The text of an array literal. */
export function arrayText(items: readonly unknown[]): string {
  const texts = items.map((item) =>
    item === null || item === undefined ? 'NULL' : `"${String(item).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
  )
  return `{${texts.join(',')}}`
}
