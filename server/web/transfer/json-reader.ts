/**
 * Reads the JSON format row by row. The structure (`tables`, names, arrays) is scanned as the text arrives; each row is
 * cut out and parsed separately, so that an invalid row is a single error, and a file of any size takes the memory of
 * one row.
 */
import { items, JsonText, members, parsed, whyBroken } from './json-text.ts'
import type { ReadRow } from './rows.ts'

/**
 * The rows of a document.
 * @param file its name, for locations
 * @param chunks its bytes
 * @throws DataError when the structure is invalid or the text is incomplete
 */
export async function* readJson(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadRow> {
  const text = new JsonText(file, chunks)
  await text.expect('{', 'a data file is one JSON object')
  const seen = new Map<string | null, number>()
  const documents = new Map<string | null, number>()
  for await (const key of members(text)) {
    if (key === 'format' || key === 'version') checkHead(text, key, await text.value())
    else if (key === 'users') yield* rows(text, file, null, seen)
    else if (key === 'tables') {
      await text.expect('{', '`tables` is an object: the rows of each table by its name')
      for await (const table of members(text)) yield* rows(text, file, table, seen)
    } else if (key === 'documents') {
      await text.expect('{', '`documents` is an object: the documents of each search index by its name')
      for await (const index of members(text)) yield* rows(text, file, index, documents, 'document')
    } else throw text.error(`there is no part \`${key}\`: a data file has format, version, users, tables and documents`)
  }
  await text.end()
}

function checkHead(text: JsonText, key: 'format' | 'version', value: string): void {
  if (key === 'format' && value !== '"ingot-data"') throw text.error('`format` is not "ingot-data"')
  if (key === 'version' && value !== '1') throw text.error(`version ${value} of the format is not known here`)
}

async function* rows(
  text: JsonText,
  file: string,
  table: string | null,
  seen: Map<string | null, number>,
  kind: 'row' | 'document' = 'row',
): AsyncGenerator<ReadRow> {
  const name = table === null ? '`users`' : `${kind === 'row' ? 'table' : 'index'} \`${table}\``
  await text.expect('[', `the rows of ${name} are an array`)
  for await (const { line, number: row } of items(text, name, seen.get(table))) {
    const location = { file, line, table, row }
    const source = await text.value()
    const value = parsed(source)
    yield value === undefined ? { kind: 'broken', location, reason: whyBroken(source) } : { kind, location, value }
    seen.set(table, row)
  }
}
