/**
 * Reads the service's JSON format: `users`, `models` (or `records`, `customizations`) and `transactables`. Each is a
 * list, or an object with `results`. They are at the top level or inside `data` and `import`.
 */
import { items, JsonText, members, tryParseJson, describeJsonError } from '../json-text.ts'
import type { RowLocation } from '../rows.ts'

/** The lists of a file. `records` stands for all names of record lists. */
type ItemList = 'users' | 'records' | 'transactables'

/** A row as in the file. */
export interface ServiceItem {
  readonly kind: 'item'
  readonly list: ItemList
  readonly location: RowLocation
  readonly value: unknown
}

export type ServicePart =
  | ServiceItem
  | { readonly kind: 'broken'; readonly location: RowLocation; readonly reason: string }
  /** Whether ids of the file are ids of rows. This may follow after the rows. */
  | { readonly kind: 'raw ids'; readonly value: boolean }

/** The lists by name. */
const LISTS: Readonly<Record<string, ItemList>> = {
  users: 'users',
  models: 'records',
  records: 'records',
  customizations: 'records',
  transactables: 'transactables',
}

/** Objects that contain the lists. */
const WRAPPERS: ReadonlySet<string> = new Set(['import', 'data', 'update'])

/** Returns whether a key of a file belongs to the service's format. */
export function isServicePart(key: string): boolean {
  return Object.hasOwn(LISTS, key) || WRAPPERS.has(key) || key === 'raw_ids'
}

/**
 * Reads the rows of a document in their order.
 * @throws DataError when the structure is invalid or the text is incomplete
 */
export async function* readItems(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServicePart> {
  const text = new JsonText(file, chunks)
  await text.expect('{', 'a data file must be one JSON object')
  yield* readMembers(text, file, WRAPPERS.size)
  await text.closingIndex()
}

/**
 * Reads the members of an object.
 * @param depth number of nested wrappers that are allowed
 */
async function* readMembers(text: JsonText, file: string, depth: number): AsyncGenerator<ServicePart> {
  for await (const key of members(text)) {
    const list = Object.hasOwn(LISTS, key) ? LISTS[key] : undefined
    if (list !== undefined) yield* readList(text, file, key, list)
    else if (key === 'raw_ids') yield { kind: 'raw ids', value: isTrue(tryParseJson(await text.value())) }
    else if (WRAPPERS.has(key) && depth > 0) {
      await text.expect('{', `\`${key}\` must be an object`)
      yield* readMembers(text, file, depth - 1)
    } else
      throw text.error(`the key \`${key}\` is unknown: a data file has users, models (or records) and transactables`)
  }
}

/** Returns whether a form or JSON value means yes. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(?:true|1|t|yes)$/i.test(value))
}

async function* readList(text: JsonText, file: string, key: string, list: ItemList): AsyncGenerator<ServicePart> {
  const nextCharacter = await text.peek()
  if (nextCharacter === 'n') {
    // A list without rows may be null.
    if ((await text.value()) !== 'null') throw text.error(`the rows of \`${key}\` must be an array`)
    return
  }
  if (nextCharacter !== '{') return yield* readRows(text, file, key, list)
  await text.expect('{', '')
  let hasResults = false
  for await (const name of members(text)) {
    if (name === 'results') {
      hasResults = true
      yield* readRows(text, file, key, list)
    }
    // Skips counts of entries and pages.
    else await text.value()
  }
  if (!hasResults) throw text.error(`the rows of \`${key}\` must be an array, or \`results\` of an object`)
}

async function* readRows(text: JsonText, file: string, key: string, list: ItemList): AsyncGenerator<ServicePart> {
  await text.expect('[', `the rows of \`${key}\` must be an array`)
  for await (const { line, number: row } of items(text, `\`${key}\``)) {
    const source = await text.value()
    const value = tryParseJson(source)
    const location = { file, line, table: list === 'users' ? null : findTable(value, key), row }
    yield value === undefined
      ? { kind: 'broken', location, reason: describeJsonError(source) }
      : { kind: 'item', list, location, value }
  }
}

/** Names of the column that contains the name of a row's table. */
export const TABLE_COLUMNS = ['type_name', 'table', 'model_schema', 'model_schema_name', 'type'] as const

/** Returns the table of a row, or the name of its list when the row does not name a table. */
function findTable(value: unknown, list: string): string {
  if (typeof value !== 'object' || value === null) return list
  const columns = new Map<string, unknown>(Object.entries(value))
  const names = TABLE_COLUMNS.map((column) => columns.get(column))
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? list
}
