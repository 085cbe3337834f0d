/** Reads a table or the users from CSV, row by row, in the form of the JSON reader. */
import type { PropertyDef } from '../../../runtime/page/compiled.ts'
import { columnOf, withoutApostrophe } from './csv-form.ts'
import { type Cell, columnNames, csvRecords } from './csv-text.ts'
import type { ReadRow } from './rows.ts'

/**
 * The rows of a file.
 * @param table null for users
 * @param declared properties of the table, to find those whose values are JSON text
 * @throws DataError when the file cannot be read to its end
 */
export async function* readCsv(
  file: string,
  table: string | null,
  declared: ReadonlyMap<string, PropertyDef>,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ReadRow> {
  let columns: readonly ReturnType<typeof columnOf>[] | null = null
  for await (const record of csvRecords(file, chunks, cellOf)) {
    const location = { file, line: record.line, table, row: record.row }
    if ('reason' in record) yield { kind: 'broken', location, reason: record.reason }
    else if (columns === null) columns = columnNames(file, record.cells).map((name) => columnOf(name, table === null))
    else yield { kind: 'row', location, value: valueOf(record.cells, columns, declared) }
  }
}

function cellOf(text: string, quoted: boolean): Cell {
  return quoted ? withoutApostrophe(text) : text === '' ? undefined : text === '\\N' ? null : text
}

function valueOf(
  cells: readonly Cell[],
  columns: readonly ReturnType<typeof columnOf>[],
  declared: ReadonlyMap<string, PropertyDef>,
): Readonly<Record<string, unknown>> {
  const properties: [string, unknown][] = []
  const value: Record<string, unknown> = {}
  columns.forEach(({ kind, name }, index) => {
    const cell = cells[index]
    if (cell === undefined) return
    if (kind === 'property') properties.push([name, plain(cell, declared.get(name))])
    else value[name] = JSON_COLUMNS.has(name) && cell !== null ? (jsonOf(cell) ?? cell) : cell
  })
  // `fromEntries`, because a property may be called `__proto__`.
  return { ...value, properties: Object.fromEntries(properties) }
}

const JSON_COLUMNS: ReadonlySet<string> = new Set(['profiles', 'undeclared'])

/**
 * The value of a cell. JSON is parsed here for types that also accept plain text; for other types the casts parse it.
 */
function plain(cell: string | null, property: PropertyDef | undefined): unknown {
  if (cell === null || property === undefined) return cell
  switch (property.type) {
    case 'upload':
    case 'file':
    case 'photo':
      return cell.startsWith('{') ? (jsonOf(cell) ?? cell) : cell
    case 'address':
      return cell.startsWith('{') || cell.startsWith('"') ? (jsonOf(cell) ?? cell) : cell
    case 'array':
      return cell.startsWith('[') ? (jsonOf(cell) ?? cell) : cell
    default:
      return cell
  }
}

/** The parsed JSON; undefined for plain text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
