/** Filters, sorts and paginates lists in memory, with the same results as SQL has for table rows. */
import type { Moment } from '../../page/values/time.ts'
import { endOfDay, momentOf } from '../values/moments.ts'
import { isBlank } from './model.ts'
import type { SiteItem } from './site-facts.ts'
import { isObject } from '../values/json-data.ts'
import { isMissing, compareMissing } from './null-order.ts'

/** How the values of a filter key are compared. It depends on the input type of the key. */
export type ItemFilter =
  /** For `StringFilter` and the filters of enums. */
  | 'text'
  /** Like `text`, for a list of texts. At least one of them must match. */
  | 'texts'
  | 'id'
  | 'date'
  | 'boolean'
  /** `IntegerFilter`, and `RangeFilter` for numbers. */
  | 'number'
  /** `JsonbFilter`s. */
  | 'json'

/** The keys of a filter. `of` names the field of the item when it differs from the key. */
export type ItemFilters = Readonly<Record<string, ItemFilter | { readonly as: ItemFilter; readonly key: string }>>

/** A page of a collection, as in the schema. */
export interface ItemPage {
  readonly results: readonly SiteItem[]
  readonly total_entries: number
  readonly total_pages: number
  readonly current_page: number
  readonly per_page: number
  readonly has_next_page: boolean
  readonly has_previous_page: boolean
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns the page of items that match `args.filter`, sorted by `args.sort`, and then by the key `tieBreaker`. Values that are functions
 * are called when a filter needs them.
 */
export async function itemPage(
  items: readonly SiteItem[],
  args: Fields,
  filters: ItemFilters,
  tieBreaker = 'id',
): Promise<ItemPage> {
  const passing: SiteItem[] = []
  const filter = fieldsOf(args['filter'])
  for (const item of items)
    if (filter === null || (await matchesFilter(item, filter, filters)) !== false) passing.push(item)
  return pageOfItems(await sortItems(passing, listOf(args['sort']), tieBreaker), args)
}

/** Returns a page of a list, with its counters. */
export function pageOfItems(items: readonly SiteItem[], args: Fields): ItemPage {
  const page = Math.max(1, integerOr(args['page'], 1))
  const perPage = Math.max(0, integerOr(args['per_page'], 20))
  const from = (page - 1) * perPage
  return {
    results: items.slice(from, from + perPage),
    total_entries: items.length,
    total_pages: perPage === 0 ? 0 : Math.ceil(items.length / perPage),
    current_page: page,
    per_page: perPage,
    has_next_page: perPage > 0 && from + perPage < items.length,
    has_previous_page: page > 1,
  }
}

function integerOr(value: unknown, defaultValue: number): number {
  return typeof value === 'number' && Number.isInteger(value) ? value : defaultValue
}

function fieldsOf(value: unknown): Fields | null {
  return isObject(value) ? value : null
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]
}

async function valueOf(item: SiteItem, name: string): Promise<unknown> {
  const value = item[name]
  return typeof value === 'function' ? value() : value
}

/** The result of a filter. Null means that no condition of the filter has a value, so the filter does not apply. */
type FilterResult = boolean | null

async function matchesFilter(item: SiteItem, filter: Fields, filters: ItemFilters): Promise<FilterResult> {
  let verdict: FilterResult = null
  for (const [key, condition] of Object.entries(filter)) {
    const keyResult =
      key === 'or'
        ? await matchesAny(item, listOf(condition), filters)
        : await matchesKey(item, key, condition, filters)
    if (keyResult === false) return false
    verdict = keyResult ?? verdict
  }
  return verdict
}

async function matchesAny(item: SiteItem, choices: readonly unknown[], filters: ItemFilters): Promise<FilterResult> {
  let verdict: FilterResult = null
  for (const choice of choices) {
    const choiceResult = await matchesFilter(item, fieldsOf(choice) ?? {}, filters)
    if (choiceResult === true) return true
    verdict = choiceResult ?? verdict
  }
  return verdict
}

async function matchesKey(
  item: SiteItem,
  key: string,
  condition: unknown,
  filters: ItemFilters,
): Promise<FilterResult> {
  const filter = filters[key]
  if (filter === undefined || hasNoValues(condition)) return null
  const [as, of] = typeof filter === 'string' ? [filter, key] : [filter.as, filter.key]
  return CONDITIONS[as](await valueOf(item, of), condition)
}

function hasNoValues(condition: unknown): boolean {
  if (condition === null || condition === undefined) return true
  const fields = fieldsOf(condition)
  return fields !== null && Object.values(fields).every((value) => value === null || value === undefined)
}

type Condition = (value: unknown, condition: unknown) => FilterResult

const CONDITIONS: Readonly<Record<ItemFilter, Condition>> = {
  text: (value, condition) => runTests(TEXT_TESTS, value, condition),
  texts: (value, condition) => runTests(TEXT_LIST_TESTS, value, condition),
  id: (value, condition) => runTests(ID_TESTS, value, condition),
  date: (value, condition) => runTests(DATE_TESTS, value, condition),
  boolean: (value, condition) => runTests(BOOLEAN_TESTS, value, condition),
  number: (value, condition) => runTests(NUMBER_TESTS, value, condition),
  json: matchesJson,
}

/** Returns whether a text matches a `StringFilter`; null when the filter is empty. */
export function matchesText(value: string, condition: Fields): boolean | null {
  return runTests(TEXT_TESTS, value, condition)
}

/** The tests of a filter's input type, by key. All given tests must succeed. */
type Tests = Readonly<Record<string, (value: unknown, wantedValue: unknown, condition: Fields) => boolean>>

function runTests(tests: Tests, value: unknown, condition: unknown): FilterResult {
  const fields = fieldsOf(condition)
  if (fields === null) return null
  let verdict: FilterResult = null
  for (const [key, wantedValue] of Object.entries(fields)) {
    const test = Object.hasOwn(tests, key) ? tests[key] : undefined
    if (test === undefined || wantedValue === null || wantedValue === undefined) continue
    if (!test(value, wantedValue, fields)) return false
    verdict = true
  }
  return verdict
}

/** Adds the negation `not_…` of every test. Missing values pass a negation, except the negation of a substring test. */
function withNegations(tests: Tests): Tests {
  const testsWithNegations: Record<string, Tests[string]> = { ...tests }
  for (const [key, test] of Object.entries(tests)) {
    const ofPart = Object.hasOwn(SUBSTRING_TESTS, key) && SUBSTRING_TESTS[key] === test
    testsWithNegations[`not_${key}`] = (value, wantedValue, fields) =>
      !(ofPart && isMissing(value)) && !test(value, wantedValue, fields)
  }
  return testsWithNegations
}

/** Returns the text of a value. A missing value counts as empty text. */
function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : `${value}`
}

function substringTest(test: (text: string, wantedText: string) => boolean): Tests[string] {
  return (value, wantedValue, fields) => {
    const exact = fields['case_sensitive'] === true
    const [text, of] = [textOf(value), textOf(wantedValue)]
    return test(exact ? text : text.toLowerCase(), exact ? of : of.toLowerCase())
  }
}

const equalsText: Tests[string] = (value, wantedValue) => textOf(value) === textOf(wantedValue)
const inTexts: Tests[string] = (value, wantedValue) => listOf(wantedValue).some((one) => textOf(value) === textOf(one))

const SUBSTRING_TESTS: Tests = {
  contains: substringTest((text, name) => text.includes(name)),
  starts_with: substringTest((text, name) => text.startsWith(name)),
  ends_with: substringTest((text, name) => text.endsWith(name)),
}

const TEXT_TESTS = withNegations({ value: equalsText, exact: equalsText, value_in: inTexts, ...SUBSTRING_TESTS })

const TEXT_LIST_TESTS = withNegations({
  value: (value, wantedValue) => listOf(value).some((one) => textOf(one) === textOf(wantedValue)),
  value_in: (value, wantedValue) =>
    listOf(wantedValue).some((want) => listOf(value).some((one) => textOf(one) === textOf(want))),
})

/**
 * Creates the tests of a `range`, and of the keys `gt`, `gte`, `lt` and `lte`.
 * @param toNumber converts values to numbers for the comparison
 * @param toUpperBound reads the bounds `gt` and `lte`, which refer to the end of a day
 */
function rangeTests(toNumber: (value: unknown) => number | null, toUpperBound = toNumber): Tests {
  const bound = (convert: typeof toNumber, test: (a: number, b: number) => boolean): Tests[string] => {
    return (value, wantedValue) => {
      if (isBlank(wantedValue)) return true
      const [a, b] = [toNumber(value), convert(wantedValue)]
      return a !== null && b !== null && test(a, b)
    }
  }
  const tests: Tests = {
    gt: bound(toUpperBound, (a, b) => a > b),
    gte: bound(toNumber, (a, b) => a >= b),
    lt: bound(toNumber, (a, b) => a < b),
    lte: bound(toUpperBound, (a, b) => a <= b),
  }
  return { ...tests, range: (value, wantedValue) => runTests(tests, value, wantedValue) !== false }
}

function numberOf(value: unknown): number | null {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** Returns the milliseconds since 1970 of a time in one of the schema's formats. */
function timeOf(value: unknown): number | null {
  return milliseconds(momentOf(value))
}

/** Returns the milliseconds since 1970 of a bound that refers to the end of a day. */
function lastTimeOf(value: unknown): number | null {
  return milliseconds(endOfDay(value) ?? momentOf(value))
}

function milliseconds(moment: Moment | null): number | null {
  return moment === null ? null : moment.$seconds * 1000 + Math.floor(moment.$nanos / 1e6)
}

const ID_TESTS: Tests = { ...withNegations({ value: equalsText, value_in: inTexts }), ...rangeTests(numberOf) }

const NUMBER_TESTS: Tests = { ...withNegations({ value: equalsText, value_in: inTexts }), ...rangeTests(numberOf) }

const sameTime: Tests[string] = (value, wantedValue) => {
  const time = timeOf(value)
  return time !== null && time === timeOf(wantedValue)
}

const DATE_TESTS: Tests = {
  ...withNegations({
    value: sameTime,
    value_in: (value, wantedValue, fields) => listOf(wantedValue).some((one) => sameTime(value, one, fields)),
  }),
  ...rangeTests(timeOf, lastTimeOf),
  exists: (value, wantedValue) => (value !== null && value !== undefined) === wantedValue,
}

const BOOLEAN_TESTS: Tests = {
  value: (value, wantedValue) => value === wantedValue,
  not_value: (value, wantedValue) => value !== wantedValue,
  is_null: (value, wantedValue) => (value === null || value === undefined) === wantedValue,
}

// ---- JSON -----------------------------------------------------------------------------------------------------------------

function matchesJson(value: unknown, conditions: unknown): FilterResult {
  let verdict: FilterResult = null
  for (const condition of listOf(conditions)) {
    const fields = fieldsOf(condition)
    const conditionResult = fields === null ? null : runTests(JSON_TESTS, value, fields)
    if (conditionResult === null) continue
    if (conditionResult === (fields?.['exclude'] === true)) return false
    verdict = true
  }
  return verdict
}

const JSON_TESTS: Tests = {
  has_key: (value, wantedValue) => hasKey(value, textOf(wantedValue)),
  contains: (value, wantedValue) => containsKeyOrJson(value, textOf(wantedValue)),
  attribute: (value, wantedValue) => matchesAttribute(value, wantedValue),
  attributes: (value, wantedValue) => listOf(wantedValue).every((one) => matchesAttribute(value, one)),
}

function hasKey(value: unknown, key: string): boolean {
  const fields = fieldsOf(value)
  return fields === null ? listOf(value).some((one) => one === key) : Object.hasOwn(fields, key)
}

/**
 * Returns whether a value contains a text as a key, as the value of a key, or as a member of a list, or contains it as JSON in the sense of
 * PostgreSQL's `@>`.
 */
function containsKeyOrJson(value: unknown, text: string): boolean {
  const isNamed =
    hasKey(value, text) ||
    Object.values(fieldsOf(value) ?? {}).some((one) => containsJson(one, text) || sameMember(one, text))
  try {
    return isNamed || containsJson(value, JSON.parse(text))
  } catch {
    return isNamed
  }
}

function containsJson(value: unknown, wantedValue: unknown): boolean {
  if (Array.isArray(value)) return listOf(wantedValue).every((want) => value.some((one) => containsJson(one, want)))
  const fields = fieldsOf(wantedValue)
  const members = fieldsOf(value)
  if (fields === null || members === null)
    return !Array.isArray(wantedValue) && fields === members && value === wantedValue
  return Object.entries(fields).every(([key, want]) => Object.hasOwn(members, key) && containsJson(members[key], want))
}

function matchesAttribute(value: unknown, condition: unknown): boolean {
  const fields = fieldsOf(condition)
  const attributes = fieldsOf(value)
  const key = textOf(fields?.['key'])
  return (
    runTests(
      ATTRIBUTE_TESTS,
      attributes !== null && Object.hasOwn(attributes, key) ? attributes[key] : undefined,
      condition,
    ) !== false
  )
}

/** Metadata values are compared as text, so that `10` equals `"10"`. */
function sameJson(value: unknown, wantedValue: unknown): boolean {
  if (typeof value === 'object' || typeof wantedValue === 'object')
    return JSON.stringify(value) === JSON.stringify(wantedValue)
  return value !== undefined && `${value}` === `${wantedValue}`
}

/** Returns whether a value, or a member of a list, equals the wanted value. */
const sameMember = (value: unknown, wantedValue: unknown): boolean =>
  sameJson(value, wantedValue) || (Array.isArray(value) && value.some((one) => sameJson(one, wantedValue)))

const isInJsonList = (list: unknown, one: unknown): boolean => listOf(list).some((item) => sameJson(item, one))

const exists: Tests[string] = (value, wantedValue) =>
  (value !== null && value !== undefined) === (wantedValue !== false && wantedValue !== 'false')

const ATTRIBUTE_TESTS = withNegations({
  value: sameMember,
  value_int: sameMember,
  value_float: (value, wantedValue) =>
    listOf(value).some((one) => numberOf(one) !== null && numberOf(one) === numberOf(wantedValue)),
  value_boolean: sameMember,
  value_in: (value, wantedValue) => listOf(value).some((one) => isInJsonList(wantedValue, one)),
  value_array: (value, wantedValue) => sameJson(listOf(value), listOf(wantedValue)),
  array_value_in: (value, wantedValue) => listOf(value).some((one) => isInJsonList(wantedValue, one)),
  array_overlaps: (value, wantedValue) => listOf(value).some((one) => isInJsonList(wantedValue, one)),
  array_contains: (value, wantedValue) => listOf(wantedValue).every((one) => isInJsonList(value, one)),
  contains: (value, wantedValue) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : textOf(value)
    return text.toLowerCase().includes(textOf(wantedValue).toLowerCase())
  },
  exists,
})

// ---- order ----------------------------------------------------------------------------------------------------------------

type Order = (a: SiteItem, b: SiteItem) => number

async function sortItems(
  items: readonly SiteItem[],
  sorts: readonly unknown[],
  tieBreaker: string,
): Promise<readonly SiteItem[]> {
  const orders = [...sorts.flatMap(ordersOf), orderByValue((item) => item[tieBreaker], 1)]
  const names = new Set([tieBreaker, ...sorts.flatMap((sort) => Object.keys(fieldsOf(sort) ?? {}))])
  // Reads each key once for each item, and not for each comparison, because keys may be functions.
  const keyed = await Promise.all(
    items.map(async (item) => {
      const keys: Record<string, unknown> = {}
      for (const name of names) keys[name] = await valueOf(item, name)
      return { item, keys }
    }),
  )
  const inOrder = keyed.toSorted((a, b) => {
    for (const order of orders) {
      const sign = order(a.keys, b.keys)
      if (sign !== 0) return sign
    }
    return 0
  })
  return inOrder.map(({ item }) => item)
}

function ordersOf(sort: unknown): Order[] {
  const orders: Order[] = []
  for (const [key, how] of Object.entries(fieldsOf(sort) ?? {})) {
    if (key === 'metadata') {
      for (const sortOrder of listOf(how)) {
        const name = textOf(fieldsOf(sortOrder)?.['name'])
        const itemValue = (item: SiteItem): unknown => {
          const metadata = fieldsOf(item['metadata'])
          return metadata !== null && Object.hasOwn(metadata, name) ? metadata[name] : null
        }
        orders.push(orderByValue(itemValue, signOf(sortOrder)))
      }
      continue
    }
    const values = listOf(fieldsOf(how)?.['order_by_values'])
    if (fieldsOf(how) === null) continue
    if (values.length > 0) orders.push(orderByListedValues(key, values))
    orders.push(orderByValue((item) => item[key], signOf(how)))
  }
  return orders
}

function signOf(sort: unknown): 1 | -1 {
  return fieldsOf(sort)?.['order'] === 'DESC' ? -1 : 1
}

/** Returns the order of items by a value. Missing values sort as in SQL. Texts of digits compare as numbers, because they are ids. */
function orderByValue(readValue: (item: SiteItem) => unknown, sign: 1 | -1): Order {
  return (a, b) => sign * compareValues(readValue(a), readValue(b))
}

function compareValues(a: unknown, b: unknown): number {
  const missingCount = compareMissing(a, b)
  if (missingCount !== null) return missingCount
  const [x, y] = [numberOf(a), numberOf(b)]
  if (x !== null && y !== null) return Math.sign(x - y)
  const [s, t] = [textOf(a), textOf(b)]
  return s < t ? -1 : s > t ? 1 : 0
}

/** Returns an order in which the listed values come first, in the order of the list. */
function orderByListedValues(key: string, values: readonly unknown[]): Order {
  const positions = new Map(values.map((value, position) => [textOf(value), position]))
  const position = (item: SiteItem): number => positions.get(textOf(item[key])) ?? values.length
  return (a, b) => position(a) - position(b)
}
