/** Reads a table or the users from CSV row by row, in the same form as the JSON reader. */
import type { PropertyDef } from '../../../runtime/page/compiled.ts'
import { parseHeader, withoutApostrophe } from './csv-form.ts'
import { type Cell, columnNames, readCsvRecords } from './csv-text.ts'
import type { ReadRow } from './rows.ts'

/**
 * Reads the rows of a file.
 * @param table null for users
 * @param declaredProperties properties of the table, which determine which values are parsed as JSON
 * @throws DataError when the file cannot be read to its end
 */
export async function* readCsv(
  file: string,
  table: string | null,
  declaredProperties: ReadonlyMap<string, PropertyDef>,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ReadRow> {
  let columns: readonly ReturnType<typeof parseHeader>[] | null = null
  for await (const record of readCsvRecords(file, chunks, parseCell)) {
    const location = { file, line: record.line, table, row: record.row }
    if ('reason' in record) yield { kind: 'broken', location, reason: record.reason }
    else if (columns === null)
      columns = columnNames(file, record.cells).map((name) => parseHeader(name, table === null))
    else yield { kind: 'row', location, value: rowValue(record.cells, columns, declaredProperties) }
  }
}

function parseCell(text: string, quoted: boolean): Cell {
  return quoted ? withoutApostrophe(text) : text === '' ? undefined : text === '\\N' ? null : text
}

function rowValue(
  cells: readonly Cell[],
  columns: readonly ReturnType<typeof parseHeader>[],
  declaredProperties: ReadonlyMap<string, PropertyDef>,
): Readonly<Record<string, unknown>> {
  const properties: [string, unknown][] = []
  const value: Record<string, unknown> = {}
  columns.forEach(({ kind, name }, index) => {
    const cell = cells[index]
    if (cell === undefined) return
    if (kind === 'property') properties.push([name, parseValue(cell, declaredProperties.get(name))])
    else value[name] = JSON_COLUMNS.has(name) && cell !== null ? (tryParseJson(cell) ?? cell) : cell
  })
  // `fromEntries` is safe for a property named `__proto__`.
  return { ...value, properties: Object.fromEntries(properties) }
}

const JSON_COLUMNS: ReadonlySet<string> = new Set(['profiles', 'undeclared'])

/**
 * Returns the value of a cell. JSON is parsed for types that also accept plain text. For other types, the property
 * conversion parses it.
 */
function parseValue(cell: string | null, property: PropertyDef | undefined): unknown {
  if (cell === null || property === undefined) return cell
  switch (property.type) {
    case 'upload':
    case 'file':
    case 'photo':
      return cell.startsWith('{') ? (tryParseJson(cell) ?? cell) : cell
    case 'address':
      return cell.startsWith('{') || cell.startsWith('"') ? (tryParseJson(cell) ?? cell) : cell
    case 'array':
      return cell.startsWith('[') ? (tryParseJson(cell) ?? cell) : cell
    default:
      return cell
  }
}

/** Parses JSON. Returns undefined for other text. */
function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
