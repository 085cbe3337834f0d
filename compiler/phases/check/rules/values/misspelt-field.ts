/** `misspelt-field`: a field that is used only once in the site and is spelled almost like another one. */
import { replaceWith } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { SettingTree } from '../../../../core/model/settings.ts'
import type { Site } from '../../../../core/model/site.ts'
import type { SiteTemplate } from '../../../../core/model/site-template.ts'
import type { SourceFile } from '../../../../core/source/file.ts'
import { type TemplateNames, namesOf } from '../../site/template-names.ts'
import { cacheByVersion } from '../../site/written-texts.ts'
import type { Unit } from '../../../../core/model/unit.ts'
import { derived } from '../../../../core/model/derived.ts'
import { findLikelyTypo, findTypo } from '../../../../core/diagnostics/suggest.ts'
import { timesWritten } from '../../walk/written-names.ts'
import { wordCounter } from '../../../../core/model/word-counter.ts'

export const misspeltField = message(
  'misspelt-field',
  'warning',
  'UnknownProperty',
  /** `read`: where a template reads the other field; null for a field that is built in. */
  (name: string, suggestion: string, read: Span | null) => ({
    subject: { kind: 'field', name, meant: suggestion },
    text: `The field ${quote(name)} is used nowhere else in the site.`,
    ...replaceWith(suggestion, false),
    related: relatedAt(read, `${quote(suggestion)} is read here`),
  }),
  {
    wrong: { 'app/views/partials/town.liquid': '{{ shop.steet }} {{ shop.street }}' },
    right: { 'app/views/partials/town.liquid': '{{ shop.street }}' },
    both: {
      'app/views/pages/index.liquid': `{% assign given = context.params.shop %}{{ given.street }}{% render 'town', shop: given %}`,
    },
  },
)

/** Shorter names resemble too many others. */
const MIN_LENGTH = 4
/** Endings of inflected words: plurals, and pairs such as `name` and `named`. */
const INFLECTION = /(?:s|d|r)$/

/** The names of a size in other languages, with common misspellings. */
const LENGTH_NAMES: ReadonlySet<string> = new Set(['length', 'lenght', 'legnth', 'lengh', 'lenth', 'len'])
/** Matches source text that declares a field named `length`. */
const LENGTH_KEY = /["']length["']|\blength\s*:\s*\w+\s*\(|name:\s*length\b|^\s*length\s*$/m

/** Counts how often each field name is read. */
const fieldReads = wordCounter((siteTemplate: SiteTemplate) => namesOf(siteTemplate).fields.map(({ name }) => name))

/** Fields that templates read. */
interface FieldReads {
  /** Number of reads by field name. */
  readonly counts: ReadonlyMap<string, number>
  /** Returns the span of the first read. */
  readonly placeOf: (name: string) => Span | null
}

/**
 * Reports misspelt fields of values with an unknown type: fields that are written once in the whole site and spelled nearly like another
 * field that templates read, or that the language has.
 */
export function checkFieldSlips({ site, siteTemplates }: CheckedSite): readonly Diagnostic[] {
  const counted = fieldReads(site.structureVersion, siteTemplates)
  const reads: FieldReads = { counts: counted.counts, placeOf: (name) => firstRead(siteTemplates, name) }
  return [
    ...slipsOfFields(site, reads, likelySlips(counted)),
    ...slipsOfAliases(site, reads),
    ...slipsOfPages(site, siteTemplates),
  ]
}

function firstRead(siteTemplates: readonly SiteTemplate[], name: string): Span | null {
  for (const siteTemplate of siteTemplates) {
    const read = namesOf(siteTemplate).fields.find((each) => each.name === name)
    if (read !== undefined) return read.span
  }
  return null
}

/** Matches the alias of a query's field, and the name of the property if the field selects one. */
const ALIAS = /(?<![\w$"(])([a-z_]\w*)\s*:\s*[a-z]\w*(?=\s*[({\n@])(?:\(\s*name\s*:\s*"(\w+)")?/g

interface Alias {
  readonly alias: string
  readonly property: string | undefined
  readonly span: Span
}

const aliasesIn = derived(({ path, text }: SourceFile): readonly Alias[] =>
  [...text.matchAll(ALIAS)].map(({ 0: whole, 1: alias = '', 2: property, index }) => {
    const start = index + whole.indexOf(alias)
    return { alias, property, span: { file: path, start, end: start + alias.length } }
  }),
)

/** Reports aliases of queries that nothing else in the site names and that are spelled nearly like a field that templates read. */
function slipsOfAliases(site: Site, { counts, placeOf }: FieldReads): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const { file } of site.graphql.values()) {
    for (const { alias, property, span } of aliasesIn(file)) {
      if (alias === property || counts.has(alias) || timesWritten(alias, site) !== 1) continue
      const isFree = (name: string) => counts.has(name) && !new RegExp(`\\b${name}\\b(?!")`).test(file.text)
      const similarNames =
        alias.length < MIN_LENGTH ? [] : [...counts.keys()].filter((name) => mayBeTypo(alias, name) && isFree(name))
      const meantName =
        property !== undefined && counts.has(property) && findLikelyTypo(alias, [property]) !== null
          ? property
          : (similarNames.toSorted().find((name) => findTypo(alias, [name]) !== null) ?? null)
      if (meantName !== null) diagnostics.push(misspeltField(span, alias, meantName, placeOf(meantName)))
    }
  }
  return diagnostics
}

const PAGE_FIELDS: readonly string[] = ['id', 'slug', 'layout', 'layout_name', 'metadata', 'enable_profiler']

const FLASH_FIELDS: readonly string[] = ['notice', 'alert']

const pageReads = derived(({ context }: TemplateNames) =>
  context.filter(({ path: [part] }) => part === 'page' || part === 'flash'),
)

/**
 * Reports fields of `context.page` and `context.flash`, and keys of metadata, that do not exist and are spelled nearly like one that does.
 */
function slipsOfPages(site: Site, siteTemplates: readonly SiteTemplate[]): readonly Diagnostic[] {
  const keys = () => site.pages.flatMap(({ settings: { metadata } }) => keysOf(metadata))
  return siteTemplates.flatMap((siteTemplate) =>
    pageReads(namesOf(siteTemplate)).flatMap(({ path: [part, field, key], spans: [, placeSpan, below] }) => {
      if (typeof field !== 'string' || placeSpan === undefined) return []
      if (part === 'flash') {
        const meantName = findTypo(field, FLASH_FIELDS)
        return meantName === null || timesWritten(field, site) > 1
          ? []
          : [misspeltField(placeSpan, field, meantName, null)]
      }
      if (part !== 'page') return []
      const [name, span, knownNames] =
        field === 'metadata' && typeof key === 'string'
          ? [key, below ?? placeSpan, keys()]
          : [field, placeSpan, PAGE_FIELDS]
      const meantName = knownNames.includes(name) ? null : findTypo(name, knownNames)
      return meantName === null ? [] : [misspeltField(span, name, meantName, null)]
    }),
  )
}

function keysOf(tree: SettingTree): readonly string[] {
  return tree.kind === 'map' ? [...tree.entries.keys()] : []
}

const lengthKeys = wordCounter(({ file }: Unit) => (hasLengthKey(file) ? ['length'] : []))
const hasLengthKey = derived(({ text }: SourceFile) => LENGTH_KEY.test(text))

function slipsOfFields(
  site: Site,
  { counts, placeOf }: FieldReads,
  likely: ReadonlyMap<string, string>,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const [name, meant] of [...LENGTH_NAMES].map((each) => [each, 'size'] as const)) {
    const span = counts.has(name) ? placeOf(name) : null
    const isKey = span !== null && lengthKeys(site.structureVersion, site.byFile).counts.has('length')
    if (span !== null && !isKey) diagnostics.push(misspeltField(span, name, meant, null))
  }
  for (const [name, meantName] of likely) {
    const span = timesWritten(name, site) > 1 ? null : placeOf(name)
    if (span !== null) diagnostics.push(misspeltField(span, name, meantName, placeOf(meantName)))
  }
  return diagnostics
}

/** Returns the likely intended field for each field that is read once: a similar one that is read more often. */
const likelySlips = cacheByVersion((counts): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  // Sorted by name, because the order in which names were counted has no meaning.
  const knownNames = [...counts]
    .filter(([, times]) => times > 1)
    .map(([name]) => name)
    .toSorted()
  for (const [name, times] of counts) {
    if (LENGTH_NAMES.has(name) || times > 1 || name.length < MIN_LENGTH) continue
    const similarNames = knownNames.filter((other) => mayBeTypo(name, other))
    const meantName = similarNames.length === 0 ? null : findTypo(name, similarNames)
    if (meantName !== null) found.set(name, meantName)
  }
  return found
})

/** Returns whether two names may differ by one typo: a quick test that excludes most pairs. Inflected forms do not count as typos. */
function mayBeTypo(name: string, other: string): boolean {
  const most = Math.max(name.length, other.length)
  if (Math.abs(name.length - other.length) > 1) return false
  let same = 0
  while (same < most && name[same] === other[same]) same++
  let tail = 0
  while (tail < most - same && name.at(-1 - tail) === other.at(-1 - tail)) tail++
  if (same + tail < most - 2) return false
  const [short, long] = name.length < other.length ? [name, other] : [other, name]
  return !(long.length > short.length && long.startsWith(short) && INFLECTION.test(long))
}
