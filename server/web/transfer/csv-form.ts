/** The format of CSV columns and cells, for the reader and the writer. */
import type { PropertyDef } from '../../../runtime/page/compiled.ts'
import { RECORD_COLUMNS, USER_COLUMNS } from './rows.ts'

/** A column of a file. */
export interface CsvColumn {
  readonly kind: 'column' | 'property'
  readonly name: string
}

const RECORD_COLUMN_NAMES: ReadonlySet<string> = new Set(RECORD_COLUMNS)
const USER_COLUMN_NAMES: ReadonlySet<string> = new Set(USER_COLUMNS)

/** Returns the column for a name in the header. */
export function parseHeader(header: string, users: boolean): CsvColumn {
  if (header.startsWith('$$')) return { kind: 'property', name: header.slice(2) }
  if (header.startsWith('$')) return { kind: 'column', name: header.slice(1) }
  return { kind: (users ? USER_COLUMN_NAMES : RECORD_COLUMN_NAMES).has(header) ? 'column' : 'property', name: header }
}

/**
 * Returns the columns of an export with their headers.
 * @param extraColumns columns that few rows use
 */
export function exportColumns(
  declared: Iterable<PropertyDef>,
  users: boolean,
  extraColumns: readonly string[],
): readonly (CsvColumn & { readonly header: string })[] {
  const baseColumns = users ? USER_COLUMN_NAMES : RECORD_COLUMN_NAMES
  const prefixedColumns = [...(users ? ['profiles'] : []), ...extraColumns]
  return [
    ...[...baseColumns].map((name) => ({ kind: 'column' as const, name, header: name })),
    ...prefixedColumns.map((name) => ({ kind: 'column' as const, name, header: `$${name}` })),
    ...[...declared].map(({ name }) => ({
      kind: 'property' as const,
      name,
      header: baseColumns.has(name) || name.startsWith('$') ? `$$${name}` : name,
    })),
  ]
}

/** Formats the text of a cell. Undefined is a missing value. */
export function cellText(value: unknown, property: PropertyDef | null): string {
  if (value === undefined) return ''
  if (value === null) return '\\N'
  if (typeof value === 'object') return quote(JSON.stringify(value))
  const text = String(value)
  // Quoted, because a text that starts like JSON would be parsed.
  if (property?.type === 'address' && /^[{"]/.test(text)) return quote(JSON.stringify(text))
  if (isFormula(text)) return quote(`'${text}`)
  return text === '' || text === '\\N' || /[",\r\n]|^\s|\s$|^\ufeff/.test(text) ? quote(text) : text
}

/**
 * Returns whether a spreadsheet would evaluate a text as a formula, or strip an apostrophe before it. Numbers are not
 * formulas.
 */
function isFormula(text: string): boolean {
  return /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text) && !/^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)
}

/** Returns the text of a quoted cell without the apostrophe that `cellText` adds before formulas. */
export function withoutApostrophe(text: string): string {
  return text.startsWith("'") && isFormula(text) ? text.slice(1) : text
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/** Returns the file name of a table, with forward slashes. It never leads out of the folder. */
export function tableFileName(table: string | null): string {
  return table === null ? '@users.csv' : `${table.split('/').map(encodeSegment).join('/')}.csv`
}

function encodeSegment(text: string): string {
  // A name of dots would refer to another folder, and an empty name would disappear.
  return encodeURIComponent(text).replace(/^\.+$/, (dots) => '%2E'.repeat(dots.length)) || '%00'
}

/** Returns the table in a file with this name, or null for users. */
export function tableFromFileName(path: string): string | null {
  const bareName = path.replace(/\.csv$/i, '')
  if (bareName === '@users') return null
  return bareName
    .split('/')
    .map((part) => (part === '%00' ? '' : decodeSegment(part)))
    .join('/')
}

/** Decodes percent-encoding. A text with invalid encoding is returned unchanged. */
function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
