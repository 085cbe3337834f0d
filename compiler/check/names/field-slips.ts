/**
 * Fields of values whose type nobody knows: one that is written once in the whole site, and spelled nearly like another that templates
 * read, is a slip.
 */
import { misspeltField } from '../../diagnostics/codes/values/misspelt-field.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { likelySlip, slipOf } from '../../diagnostics/suggest.ts'
import type { SettingTree } from '../../model/settings.ts'
import type { Site } from '../../model/site.ts'
import type { Span } from '../../source/span.ts'
import type { Piece } from '../piece.ts'
import { timesWritten } from '../rules/written-names.ts'
import type { TemplateNames } from './scan.ts'

/** Shorter names are like too many others. */
const SHORTEST = 4
/** Ends that words have beside their plain form: one and many, `name` and `named`. */
const ENDS = /(?:s|d|r)$/

/** What other languages call the size of a list or a text, and slips of it. */
const LENGTHS: ReadonlySet<string> = new Set(['length', 'lenght', 'legnth', 'lengh', 'lenth', 'len'])
/** Where something of the site has a field of such a name. */
const LENGTH_KEY = /["']length["']|\blength\s*:\s*\w+\s*\(|name:\s*length\b|^\s*length\s*$/m

interface FieldReads {
  readonly span: Span
  times: number
}

export function checkFieldSlips(
  site: Site,
  pieces: readonly Piece[],
  namesOf: (piece: Piece) => TemplateNames,
): readonly Diagnostic[] {
  const reads = readsIn(pieces, namesOf)
  return [...slipsOfFields(site, reads), ...slipsOfAliases(site, reads), ...slipsOfPages(site, pieces, namesOf)]
}

/** By their names, what templates read of values: the first place, and how often. */
function readsIn(
  pieces: readonly Piece[],
  namesOf: (piece: Piece) => TemplateNames,
): ReadonlyMap<string, Readonly<FieldReads>> {
  const reads = new Map<string, FieldReads>()
  for (const piece of pieces)
    for (const { name, span } of namesOf(piece).fields) {
      const known = reads.get(name)
      if (known === undefined) reads.set(name, { span, times: 1 })
      else known.times++
    }
  return reads
}

/** A field of a query by another name than its own, and the property that it is, where that is said. */
const ALIAS = /(?<![\w$"(])([a-z_]\w*)\s*:\s*[a-z]\w*(?=\s*[({\n@])(?:\(\s*name\s*:\s*"(\w+)")?/g

/** Aliases of queries that nothing else of the site names, and that are spelled nearly like a field that templates read. */
function slipsOfAliases(site: Site, reads: ReadonlyMap<string, Readonly<FieldReads>>): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const { file } of site.graphql.values()) {
    for (const { 0: whole, 1: alias = '', 2: property, index } of file.text.matchAll(ALIAS)) {
      if (alias === property || reads.has(alias) || timesWritten(alias, site) !== 1) continue
      const isFree = (name: string) => reads.has(name) && !new RegExp(`\\b${name}\\b(?!")`).test(file.text)
      const near =
        alias.length < SHORTEST ? [] : [...reads.keys()].filter((name) => isNear(alias, name) && isFree(name))
      const meant =
        property !== undefined && reads.has(property) && likelySlip(alias, [property]) !== null
          ? property
          : (near.find((name) => slipOf(alias, [name]) !== null) ?? null)
      if (meant === null) continue
      const start = index + whole.indexOf(alias)
      const span = { file: file.path, start, end: start + alias.length }
      diagnostics.push(misspeltField(span, alias, meant, reads.get(meant)?.span ?? null))
    }
  }
  return diagnostics
}

const PAGE_FIELDS: readonly string[] = ['id', 'slug', 'layout', 'layout_name', 'metadata', 'enable_profiler']

const FLASH_FIELDS: readonly string[] = ['notice', 'alert']

/** Fields of `context.page`, and keys of its metadata, that no page has and that are spelled nearly like one that there is. */
function slipsOfPages(
  site: Site,
  pieces: readonly Piece[],
  namesOf: (piece: Piece) => TemplateNames,
): readonly Diagnostic[] {
  const keys = new Set(site.pages.flatMap(({ settings: { metadata } }) => keysOf(metadata)))
  return pieces.flatMap((piece) =>
    namesOf(piece).context.flatMap(({ path: [part, field, key], spans: [, at, below] }) => {
      if (typeof field !== 'string' || at === undefined) return []
      if (part === 'flash') {
        const meant = slipOf(field, FLASH_FIELDS)
        return meant === null || timesWritten(field, site) > 1 ? [] : [misspeltField(at, field, meant, null)]
      }
      if (part !== 'page') return []
      const [name, span, known] =
        field === 'metadata' && typeof key === 'string' ? [key, below ?? at, keys] : [field, at, PAGE_FIELDS]
      const meant = [...known].includes(name) ? null : slipOf(name, known)
      return meant === null ? [] : [misspeltField(span, name, meant, null)]
    }),
  )
}

function keysOf(tree: SettingTree): readonly string[] {
  return tree.kind === 'map' ? [...tree.entries.keys()] : []
}

function slipsOfFields(site: Site, reads: ReadonlyMap<string, Readonly<FieldReads>>): readonly Diagnostic[] {
  const lengths = [...LENGTHS].flatMap((name) => reads.get(name) ?? [])
  const isKey = lengths.length > 0 && [...site.byFile.values()].some(({ file: { text } }) => LENGTH_KEY.test(text))
  const known = [...reads].filter(([, { times }]) => times > 1).map(([name]) => name)
  return [...reads].flatMap(([name, { span, times }]) => {
    if (LENGTHS.has(name)) return isKey ? [] : [misspeltField(span, name, 'size', null)]
    if (times > 1 || name.length < SHORTEST) return []
    const near = known.filter((other) => isNear(name, other))
    const meant = near.length === 0 ? null : slipOf(name, near)
    const read = meant === null ? undefined : reads.get(meant)
    return meant === null || read === undefined || isWrittenElsewhere(site, name, span)
      ? []
      : [misspeltField(span, name, meant, read.span)]
  })
}

/** Whether one can be made of the other by one sign, without asking which: most cannot. */
function isNear(name: string, other: string): boolean {
  const most = Math.max(name.length, other.length)
  if (Math.abs(name.length - other.length) > 1) return false
  let same = 0
  while (same < most && name[same] === other[same]) same++
  let tail = 0
  while (tail < most - same && name.at(-1 - tail) === other.at(-1 - tail)) tail++
  if (same + tail < most - 2) return false
  const [short, long] = name.length < other.length ? [name, other] : [other, name]
  return !(long.length > short.length && long.startsWith(short) && ENDS.test(long))
}

/** Whether the word stands anywhere else in the texts of the site. */
function isWrittenElsewhere({ byFile }: Site, name: string, { file }: Span): boolean {
  const word = new RegExp(`(?<![\\w])${name}(?![\\w])`, 'g')
  for (const { file: each } of byFile.values()) {
    if (!each.text.includes(name)) continue
    const times = each.text.match(word)?.length ?? 0
    if (times > (each.path === file ? 1 : 0)) return true
  }
  return false
}
