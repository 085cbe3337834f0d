/** What nothing of a site names: layouts, forms, policies, notifications, translations and assets. */
import { unusedAsset } from '../../../core/diagnostics/codes/site/unused-asset.ts'
import { unusedFile } from '../../../core/diagnostics/codes/site/unused-file.ts'
import { unusedTranslation } from '../../../core/diagnostics/codes/site/unused-translation.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { attached } from '../../../core/model/attached.ts'
import { derived, derivedFromFrame } from '../../../core/model/derived.ts'
import { shareList, shareText } from '../../../core/model/shared-values.ts'
import type { FormSettings, NamedReference, TranslationMap } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import { type WordCounts, wordCounter } from '../../../core/model/word-counter.ts'
import type { Unit } from '../../../core/model/unit.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import type { Piece } from '../piece.ts'
import type { UnitFacts } from '../rules/facts.ts'
import { literalText } from '../rules/literal-text.ts'
import { hasUnreadableTemplate } from '../rules/query-rules.ts'
import { BUILT_IN, isPlural } from '../rules/translations.ts'
import { namesOf } from './scan.ts'

export interface UnusedRules {
  readonly site: Site
  readonly pieces: readonly Piece[]
  readonly factsOf: (key: string) => UnitFacts | undefined
  /** Files that something runs. */
  readonly reached: ReadonlySet<string>
}

/** Words of a file that may name others. */
interface FileWords {
  /** Texts in quotes. */
  readonly quoted: readonly string[]
  /** Names of files: `app.css`. */
  readonly files: readonly string[]
}

/** A character of a name of a file. */
const FILE_NAME = /[\w@.~-]/
const QUOTED = /'[^'\n]{1,100}'|"[^"\n]{1,100}"/g
/** From the dot on, since most words have none. */
const EXTENSION = /\.[a-z][a-z0-9]{1,5}\b/gi

const wordsIn = derived(({ text }: SourceFile): FileWords => {
  const quoted = new Set<string>()
  // Only where a match ends is asked for: to have each made into a list takes most of the time.
  for (QUOTED.lastIndex = 0; QUOTED.test(text); ) {
    const end = QUOTED.lastIndex - 1
    quoted.add(shareText(text.slice(text.lastIndexOf(text.charAt(end), end - 1) + 1, end)))
  }
  const files = new Set<string>()
  for (EXTENSION.lastIndex = 0; EXTENSION.test(text); ) {
    const end = EXTENSION.lastIndex
    const dot = text.lastIndexOf('.', end - 1)
    let start = dot
    while (start > 0 && FILE_NAME.test(text.charAt(start - 1))) start--
    if (start < dot) files.add(text.slice(start, end))
  }
  return { quoted: shareList([...quoted]), files: shareList([...files]) }
})

/** How many files have a text in quotes. */
const quotingFiles = wordCounter(({ file }: Unit) => (file.kind === 'asset' ? [] : wordsIn(file).quoted))
/** How many name a file. */
const namingFiles = wordCounter(({ file }: Unit) => wordsIn(file).files)
/** Texts in quotes that may be keys of translations, of templates and of what stands beside them. */
const possibleKeys = wordCounter(({ file }: Unit) =>
  file.kind === 'asset' || file.kind === 'translation' ? [] : wordsIn(file).quoted,
)
/** Texts of tags. */
const texts = wordCounter((piece: Piece) => namesOf(piece).texts)

/** By the versions of counts, what is made of the words that are counted. */
function ofVersions<Value>(make: (counts: Words) => Value): (counted: WordCounts) => Value {
  const known = attached<object, { readonly value: Value }>()
  return ({ version, counts }) => {
    let kept = known.get(version)
    if (kept === undefined) known.set(version, (kept = { value: make(counts) }))
    return kept.value
  }
}

/** Words that occur, each with how often. */
type Words = ReadonlyMap<string, number>

/** The rules, each to be run by itself. */
export function unusedNames(rules: UnusedRules): readonly (() => readonly Diagnostic[])[] {
  // What could not be read may well be what names it.
  if (hasUnreadableTemplate(rules.site)) return []
  return [unusedFiles, unusedAssets, unusedTranslations].map((rule) => () => rule(rules))
}

/** A module offers what it has to sites that are not here. */
function isOwn({ file }: Unit): boolean {
  return file.module === null && !file.override
}

const namedInSettings = derivedFromFrame(namesInSettings)
const hasComputedLayout = derivedFromFrame(({ units }) =>
  units.some(({ settings }) => 'computedLayout' in settings && settings.computedLayout !== null),
)

function unusedFiles({ site, pieces, factsOf, reached }: UnusedRules): readonly Diagnostic[] {
  const anyForm = pieces.some(({ key }) =>
    factsOf(key)?.notes.some(({ note }) => note.kind === 'include-form' && literalText(note.name) === null),
  )
  const anyLayout = hasComputedLayout(site) || site.computedLayouts.size > 0
  const { counts: quoting } = quotingFiles(site.frame, site.units)
  const referred = namedInSettings(site)
  const laidOut = new Set([...site.pageLayouts.values()].map(({ file }) => file.path))
  const of = (noun: string, units: ReadonlyMap<string, Unit>, isUsed: (unit: Unit) => boolean = () => false) =>
    [...namesByUnit(units)].flatMap(([unit, called]) => {
      const { path } = unit.file
      if (!isOwn(unit) || isUsed(unit)) return []
      const names = called.flatMap(spellings)
      if (names.some((each) => referred.has(each))) return []
      const own = new Set(wordsIn(unit.file).quoted)
      if (names.some((each) => (quoting.get(each) ?? 0) > (own.has(each) ? 1 : 0))) return []
      return [unusedFile({ file: path, start: 0, end: 0 }, noun, called.at(-1) ?? '')]
    })
  return [
    ...(anyLayout
      ? []
      : of('layout', site.layouts, (unit) => laidOut.has(unit.file.path) || reached.has(unit.file.path))),
    ...(anyForm ? [] : of('form', site.forms)),
    ...of('authorization policy', site.policies),
    ...of('email', site.emails),
    ...of('text message', site.smses),
    ...of('API call', site.apiCalls),
  ]
}

/** A name as it is written, and as the service writes it. */
function spellings(name: string): readonly string[] {
  return [name, name.replaceAll('_', '-')]
}

/** All that each unit is called. */
function namesByUnit(units: ReadonlyMap<string, Unit>): ReadonlyMap<Unit, readonly string[]> {
  const names = new Map<Unit, string[]>()
  for (const [name, unit] of units) {
    const known = names.get(unit)
    if (known === undefined) names.set(unit, [name])
    else known.push(name)
  }
  return names
}

/** What pages, forms and e-mails name. */
interface Named
  extends Partial<Pick<FormSettings, 'authorizationPolicies' | `${'email' | 'sms' | 'apiCall'}Notifications`>> {
  readonly layout?: NamedReference | string | null
}

function namesInSettings({ units }: Site): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { settings } of units) {
    if (settings.kind !== 'page' && settings.kind !== 'form' && settings.kind !== 'email') continue
    const some: Named = settings
    const lists = [
      some.authorizationPolicies,
      some.emailNotifications,
      some.smsNotifications,
      some.apiCallNotifications,
    ]
    for (const { name } of lists.flatMap((list) => list ?? [])) names.add(name)
    const { layout } = some
    if (layout != null) names.add(typeof layout === 'string' ? layout : layout.name)
  }
  return names
}

// ---- assets -----------------------------------------------------------------------------------------------------------

/** What browsers and others ask for by themselves, and what tools leave beside the rest. */
const ASKED_FOR =
  /(?:^|\/)(?:favicon|robots|manifest|site|browserconfig|apple-touch|\.|licen|readme)|\.(?:map|txt|md|webmanifest)$|\.[0-9a-f]{6,}\./i

/** Names that are put together have their ends. */
const endsOfFiles = ofVersions((counts) => ({
  begins: [...counts.keys()].map((text) => text.replace(/^\//, '')).filter((text) => /.[/_-]$/.test(text)),
  ends: [...counts.keys()].filter((text) => /^[\w-]*\.\w+$/.test(text) && text.startsWith('.')),
}))

function unusedAssets({ site, pieces }: UnusedRules): readonly Diagnostic[] {
  const own = [...site.assets].filter(([name, path]) => path.startsWith('app/assets/') && !ASKED_FOR.test(name))
  if (own.length === 0) return []
  const { counts: files } = namingFiles(site.frame, site.byFile)
  const { begins, ends } = endsOfFiles(texts(site.frame, pieces))
  return own.flatMap(([name, path]) => {
    const base = name.slice(name.lastIndexOf('/') + 1)
    if (files.has(base) || begins.some((text) => name.startsWith(text) || base.startsWith(text))) return []
    if (ends.some((text) => base.endsWith(text))) return []
    return [unusedAsset({ file: path, start: 0, end: 0 }, name)]
  })
}

// ---- translations -----------------------------------------------------------------------------------------------------

const LOCALE = 'en'

const endsOfKeys = ofVersions((counts) => ({
  begins: [...counts.keys()].filter((text) => /^[\w-][\w.-]*\.$/.test(text)),
  ends: [...counts.keys()].filter((text) => /^\.[\w.-]*\w$/.test(text)),
}))

function unusedTranslations({ site, pieces }: UnusedRules): readonly Diagnostic[] {
  const tree = site.translations.get(LOCALE)
  if (tree === undefined) return []
  // Texts of settings and queries may be keys as well.
  const named = [texts(site.frame, pieces), possibleKeys(site.frame, site.units)]
  const begins = named.flatMap((each) => endsOfKeys(each).begins)
  const ends = named.flatMap((each) => endsOfKeys(each).ends)
  const isUsed = (key: string) =>
    named.some(({ counts }) => counts.has(key)) ||
    begins.some((text) => key.startsWith(text)) ||
    ends.some((text) => key.endsWith(text))
  const diagnostics: Diagnostic[] = []
  const visit = (map: TranslationMap, path: string): void => {
    for (const [name, node] of map.entries) {
      if (path === '' && (name.startsWith('modules/') || BUILT_IN.test(name))) continue
      const key = path === '' ? name : `${path}.${name}`
      // A group that is named as a whole is used as a whole.
      const isGroup = node.kind === 'map' && !isPlural(node)
      if (isGroup ? key.includes('.') && isUsed(key) : isUsed(key)) continue
      if (isGroup) visit(node, key)
      else if (!/(?:^|\/)modules\//.test(node.keySpan.file)) diagnostics.push(unusedTranslation(node.keySpan, key))
    }
  }
  visit(tree, '')
  return diagnostics
}
