/** Finds the name that a misspelled one was probably meant to be: the planner of queries and the compiler suggest alike. */
import { distance, nearest as nearestSpelling } from '../../../runtime/data/query/suggest.ts'

export { distance } from '../../../runtime/data/query/suggest.ts'

/** Words of other languages and of everyday, as they are called here. The first that a place knows is meant. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  // rules of forms
  required: ['presence'],
  mandatory: ['presence'],
  not_blank: ['presence'],
  regex: ['format', 'with'],
  regexp: ['format', 'with'],
  pattern: ['format', 'with'],
  matches: ['format'],
  number: ['numericality', 'integer'],
  numeric: ['numericality', 'decimal'],
  // types of properties
  int: ['integer'],
  bool: ['boolean'],
  str: ['string'],
  double: ['float'],
  money: ['decimal'],
  timestamp: ['datetime'],
  list: ['array'],
  image: ['upload', 'photo'],
  picture: ['upload', 'photo'],
  // settings
  url: ['to', 'slug'],
  uri: ['to', 'slug'],
  endpoint: ['to'],
  recipient: ['to'],
  sender: ['from'],
  path: ['slug'],
  route: ['slug'],
  permalink: ['slug'],
  verb: ['method', 'request_type'],
  http_method: ['method', 'request_type'],
  content_type: ['format'],
  policies: ['authorization_policies'],
  permissions: ['authorization_policies'],
  // filters
  lower: ['downcase'],
  lowercase: ['downcase'],
  tolowercase: ['downcase'],
  upper: ['upcase'],
  touppercase: ['upcase'],
  trim: ['strip'],
  len: ['size'],
  length: ['size'],
  count: ['size', 'limit'],
  take: ['limit'],
  start: ['offset'],
  skip: ['offset'],
  max: ['at_least', 'limit'],
  min: ['at_most'],
  concat: ['append'],
  add: ['plus'],
  subtract: ['minus'],
  multiply: ['times'],
  divide: ['divided_by'],
  mod: ['modulo'],
  tojson: ['json'],
  jsonify: ['json'],
  nl2br: ['newline_to_br'],
  striptags: ['strip_html'],
  strftime: ['date'],
  translate: ['t'],
  contains: ['array_include'],
  includes: ['array_include'],
  push: ['array_add'],
}

/**
 * The known name that differs in one slip of the keyboard; null where none does. Where a value may rightly be missing only that shows a
 * mistake: `name_de` and `name_en`, or `line_1` and `line_2`, are names of their own.
 */
export function slipOf(name: string, known: Iterable<string>): string | null {
  if (name.length < 4) return null
  for (const candidate of known)
    if (candidate !== name && isSlip(name, candidate) && plainText(name) !== plainText(candidate)) return candidate
  return null
}

/**
 * As `slipOf`, where nothing else can be meant: of names with few letters, too, those with one letter more.
 */
export function likelySlip(name: string, known: Iterable<string>): string | null {
  for (const candidate of known) {
    if (candidate === name || plainText(name) === plainText(candidate)) continue
    const isNear =
      Math.max(name.length, candidate.length) >= 4
        ? isSlip(name, candidate)
        : name.length === candidate.length + 1 && (name.startsWith(candidate) || name.endsWith(candidate))
    if (isNear) return candidate
  }
  return null
}

function isSlip(name: string, candidate: string): boolean {
  return Math.abs(name.length - candidate.length) <= 1 && distance(name, candidate, 1) <= 1
}

function plainText(name: string): string {
  return name.replace(/\d+/g, '')
}

/** What was found in lists of names, which are the same for many: a link in a menu leads nowhere from each page. */
const found = new WeakMap<readonly string[], Map<string, string | null>>()

/**
 * The nearest of the known names by its letters, its words or its meaning; null when none is near.
 * @param known a list of it is never changed
 */
export function nearest(name: string, known: Iterable<string>): string | null {
  if (!Array.isArray(known)) return nearestOf(name, [...known])
  const list: readonly string[] = known
  let names = found.get(list)
  if (names === undefined) {
    names = new Map()
    found.set(list, names)
  }
  let answer = names.get(name)
  if (answer === undefined) {
    answer = nearestOf(name, list)
    names.set(name, answer)
  }
  return answer
}

function nearestOf(name: string, all: readonly string[]): string | null {
  return synonymOf(name, all) ?? nearestSpelling(name, all) ?? nameOfSameWords(name, all)
}

/** The nearest name as a hint, or undefined. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const suggestion = nearest(name, known)
  return suggestion === null ? undefined : `Did you mean \`${suggestion}\`?`
}

/** The only known name that has the words of this one: `status` for `http_status`, `update_record` for `record_update`. */
function nameOfSameWords(name: string, known: readonly string[]): string | null {
  const words = wordsOf(name)
  if (name.length < 3 || name.length > 80) return null
  const same = known.filter((each) => {
    const theirs = wordsOf(each)
    return each !== name && words.every((word) => theirs.includes(word))
  })
  if (same.length === 1) return same[0] ?? null
  const longer = same.length > 0 ? [] : known.filter((each) => each.startsWith(name) && each.length > name.length)
  return longer.length === 1 ? (longer[0] ?? null) : null
}

function wordsOf(name: string): readonly string[] {
  return name
    .toLowerCase()
    .split(/[_\s-]+/)
    .filter((word) => word !== '')
}

function synonymOf(name: string, known: readonly string[]): string | null {
  const plain = name.toLowerCase()
  const words = Object.hasOwn(SYNONYMS, plain) ? SYNONYMS[plain] : undefined
  return words?.find((word) => known.includes(word)) ?? null
}

/** Folders and endings of files, which their names leave out. */
const PATH_AROUND =
  /^(?:(?:app|marketplace_builder)\/)?(?:views\/)?(?:partials|layouts|lib|graphql|graph_queries)\/|(?:\.html|\.json)?\.(?:liquid|graphql)$/g

/** The nearest of names with folders. A file's own name without its folders is what older sites write. */
export function nearestPath(name: string, known: Iterable<string>): string | null {
  const all = [...known]
  const bare = name.replace(PATH_AROUND, '').replace(/^\.?\//, '')
  if (bare !== name && all.includes(bare)) return bare
  const below = all.filter((each) => each.endsWith(`/${name}`))
  return below.length === 1 ? (below[0] ?? null) : nearest(name, all)
}
