/**
 * Reads the JSON format row by row. The structure (`tables`, names, arrays) is scanned as the text arrives. Each row is
 * cut out and parsed separately. So an invalid row is a single error, and memory holds only one row of a file.
 */
import { items, JsonText, members, tryParseJson, describeJsonError } from './json-text.ts'
import type { ReadRow } from './rows.ts'

/**
 * Reads the rows of a document.
 * @param file name of the file, for locations
 * @param chunks bytes of the file
 * @throws DataError when the structure is invalid or the text is incomplete
 */
export async function* readJson(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadRow> {
  const text = new JsonText(file, chunks)
  await text.expect('{', 'a data file must be one JSON object')
  const rowCounts = new Map<string | null, number>()
  const documents = new Map<string | null, number>()
  for await (const key of members(text)) {
    if (key === 'format' || key === 'version') checkHead(text, key, await text.value())
    else if (key === 'users') yield* readRows(text, file, null, rowCounts)
    else if (key === 'tables') {
      await text.expect('{', '`tables` must be an object with the rows of each table by name')
      for await (const table of members(text)) yield* readRows(text, file, table, rowCounts)
    } else if (key === 'documents') {
      await text.expect('{', '`documents` must be an object with the documents of each search index by name')
      for await (const index of members(text)) yield* readRows(text, file, index, documents, 'document')
    } else
      throw text.error(`the key \`${key}\` is unknown: a data file has format, version, users, tables and documents`)
  }
  await text.closingIndex()
}

function checkHead(text: JsonText, key: 'format' | 'version', value: string): void {
  if (key === 'format' && value !== '"ingot-data"') throw text.error('`format` is not "ingot-data"')
  if (key === 'version' && value !== '1') throw text.error(`version ${value} of the format is not supported`)
}

async function* readRows(
  text: JsonText,
  file: string,
  table: string | null,
  rowCounts: Map<string | null, number>,
  kind: 'row' | 'document' = 'row',
): AsyncGenerator<ReadRow> {
  const name = table === null ? '`users`' : `${kind === 'row' ? 'table' : 'index'} \`${table}\``
  await text.expect('[', `the rows of ${name} must be an array`)
  for await (const { line, number: row } of items(text, name, rowCounts.get(table))) {
    const location = { file, line, table, row }
    const source = await text.value()
    const value = tryParseJson(source)
    yield value === undefined
      ? { kind: 'broken', location, reason: describeJsonError(source) }
      : { kind, location, value }
    rowCounts.set(table, row)
  }
}
