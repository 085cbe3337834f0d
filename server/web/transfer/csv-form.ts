/** The format of CSV columns and cells, shared by the reader and the writer. */
import type { PropertyDef } from '../../../runtime/page/compiled.ts'
import { RECORD_COLUMNS, USER_COLUMNS } from './rows.ts'

/** A column of the file. */
export interface CsvColumn {
  readonly kind: 'column' | 'property'
  readonly name: string
}

const OF_RECORDS: ReadonlySet<string> = new Set(RECORD_COLUMNS)
const OF_USERS: ReadonlySet<string> = new Set(USER_COLUMNS)

/** The column for a name in the header. */
export function columnOf(header: string, users: boolean): CsvColumn {
  if (header.startsWith('$$')) return { kind: 'property', name: header.slice(2) }
  if (header.startsWith('$')) return { kind: 'column', name: header.slice(1) }
  return { kind: (users ? OF_USERS : OF_RECORDS).has(header) ? 'column' : 'property', name: header }
}

/**
 * The columns of an export, with their headers.
 * @param more columns that few rows use
 */
export function exportColumns(
  declared: Iterable<PropertyDef>,
  users: boolean,
  more: readonly string[],
): readonly (CsvColumn & { readonly header: string })[] {
  const plain = users ? OF_USERS : OF_RECORDS
  const further = [...(users ? ['profiles'] : []), ...more]
  return [
    ...[...plain].map((name) => ({ kind: 'column' as const, name, header: name })),
    ...further.map((name) => ({ kind: 'column' as const, name, header: `$${name}` })),
    ...[...declared].map(({ name }) => ({
      kind: 'property' as const,
      name,
      header: plain.has(name) || name.startsWith('$') ? `$$${name}` : name,
    })),
  ]
}

/** The text of a cell; undefined is a missing value. */
export function cellText(value: unknown, property: PropertyDef | null): string {
  if (value === undefined) return ''
  if (value === null) return '\\N'
  if (typeof value === 'object') return quoted(JSON.stringify(value))
  const text = `${value as string | number | boolean}`
  // Quoted, because a text that begins like JSON would be parsed.
  if (property?.type === 'address' && /^[{"]/.test(text)) return quoted(JSON.stringify(text))
  if (isFormula(text)) return quoted(`'${text}`)
  return text === '' || text === '\\N' || /[",\r\n]|^\s|\s$|^\ufeff/.test(text) ? quoted(text) : text
}

/**
 * Whether a spreadsheet would compute a text, or would show an apostrophe that was written before such a text. Numbers
 * are what they look like.
 */
function isFormula(text: string): boolean {
  return /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text) && !/^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)
}

/** The text of a quoted cell, without the apostrophe that `cellText` writes before a formula. */
export function withoutApostrophe(text: string): string {
  return text.startsWith("'") && isFormula(text) ? text.slice(1) : text
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/** The file name of a table, with forward slashes. It never leads out of the folder. */
export function fileOfTable(table: string | null): string {
  return table === null ? '@users.csv' : `${table.split('/').map(segment).join('/')}.csv`
}

function segment(text: string): string {
  // A name of dots would lead to another folder, and an empty one would vanish.
  return encodeURIComponent(text).replace(/^\.+$/, (dots) => '%2E'.repeat(dots.length)) || '%00'
}

/** The table in a file of this name; null for users. */
export function tableOfFile(path: string): string | null {
  const bare = path.replace(/\.csv$/i, '')
  if (bare === '@users') return null
  return bare
    .split('/')
    .map((part) => (part === '%00' ? '' : decoded(part)))
    .join('/')
}

/** A text with invalid percent-encoding is used as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
