/**
 * Reads the service's JSON: `users`, `models` (or `records`, `customizations`) and `transactables`, each a list or an object
 * with its `results`, at the top or inside of `data` and `import`.
 */
import { items, JsonText, members, parsed, whyBroken } from '../json-text.ts'
import type { RowLocation } from '../rows.ts'

/** The lists of a file. `records` stands for all names of records. */
export type ItemList = 'users' | 'records' | 'transactables'

/** A row as it stands in the file. */
export interface ServiceItem {
  readonly kind: 'item'
  readonly list: ItemList
  readonly location: RowLocation
  readonly value: unknown
}

export type ServicePart =
  | ServiceItem
  | { readonly kind: 'broken'; readonly location: RowLocation; readonly reason: string }
  /** Whether ids of the file are ids of rows. It may stand behind the rows. */
  | { readonly kind: 'raw ids'; readonly value: boolean }

/** The lists by their names. */
const LISTS: Readonly<Record<string, ItemList>> = {
  users: 'users',
  models: 'records',
  records: 'records',
  customizations: 'records',
  transactables: 'transactables',
}

/** Objects that hold the lists. */
const WRAPPERS: ReadonlySet<string> = new Set(['import', 'data', 'update'])

/** Whether a part of a file is one of the service's. */
export function isServicePart(key: string): boolean {
  return Object.hasOwn(LISTS, key) || WRAPPERS.has(key) || key === 'raw_ids'
}

/**
 * The rows of a document, in its order.
 * @throws DataError when the structure is invalid or the text is incomplete
 */
export async function* readItems(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServicePart> {
  const text = new JsonText(file, chunks)
  await text.expect('{', 'a data file is one JSON object')
  yield* partsOf(text, file, WRAPPERS.size)
  await text.end()
}

/** @param depth how many wrappers may follow */
async function* partsOf(text: JsonText, file: string, depth: number): AsyncGenerator<ServicePart> {
  for await (const key of members(text)) {
    const list = Object.hasOwn(LISTS, key) ? LISTS[key] : undefined
    if (list !== undefined) yield* listOf(text, file, key, list)
    else if (key === 'raw_ids') yield { kind: 'raw ids', value: isTrue(parsed(await text.value())) }
    else if (WRAPPERS.has(key) && depth > 0) {
      await text.expect('{', `\`${key}\` is an object`)
      yield* partsOf(text, file, depth - 1)
    } else throw text.error(`there is no part \`${key}\`: a data file has users, models (or records) and transactables`)
  }
}

/** Whether a value of a form or of JSON says yes. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(?:true|1|t|yes)$/i.test(value))
}

async function* listOf(text: JsonText, file: string, key: string, list: ItemList): AsyncGenerator<ServicePart> {
  const next = await text.peek()
  if (next === 'n') {
    // A list without rows may be null.
    if ((await text.value()) !== 'null') throw text.error(`the rows of \`${key}\` are an array`)
    return
  }
  if (next !== '{') return yield* rowsOf(text, file, key, list)
  await text.expect('{', '')
  let has = false
  for await (const name of members(text)) {
    if (name === 'results') {
      has = true
      yield* rowsOf(text, file, key, list)
    }
    // Counts of entries and pages.
    else await text.value()
  }
  if (!has) throw text.error(`the rows of \`${key}\` are an array, or the \`results\` of an object`)
}

async function* rowsOf(text: JsonText, file: string, key: string, list: ItemList): AsyncGenerator<ServicePart> {
  await text.expect('[', `the rows of \`${key}\` are an array`)
  for await (const { line, number: row } of items(text, `\`${key}\``)) {
    const source = await text.value()
    const value = parsed(source)
    const location = { file, line, table: list === 'users' ? null : tableOf(value, key), row }
    yield value === undefined
      ? { kind: 'broken', location, reason: whyBroken(source) }
      : { kind: 'item', list, location, value }
  }
}

/** Names of the column that holds the name of a row's table. */
export const TABLE_COLUMNS = ['type_name', 'table', 'model_schema', 'model_schema_name', 'type'] as const

/** The table of a row; the name of its list where it names none. */
function tableOf(value: unknown, list: string): string {
  if (typeof value !== 'object' || value === null) return list
  const row = value as Readonly<Record<string, unknown>>
  const named = TABLE_COLUMNS.map((column) => row[column]).find((name) => typeof name === 'string' && name !== '')
  return (named as string | undefined) ?? list
}
