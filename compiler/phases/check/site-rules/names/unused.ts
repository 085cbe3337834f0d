/** Finds layouts, forms, policies, notifications, translations and assets that no file of the site refers to. */
import { unusedAsset } from '../../rules/site/unused-asset.ts'
import { unusedFile } from '../../rules/site/unused-file.ts'
import { unusedTranslation } from '../../rules/site/unused-translation.ts'
import type { Diagnostic } from '../../../../core/diagnostics/diagnostic.ts'
import { attached } from '../../../../core/model/attached.ts'
import { derived, derivedFromFrame } from '../../../../core/model/derived.ts'
import { shareList, shareText } from '../../../../core/model/shared-values.ts'
import type { FormSettings, NamedReference, TranslationMap } from '../../../../core/model/settings.ts'
import type { Site } from '../../../../core/model/site.ts'
import { concatSteps, type Steps } from '../../../../core/model/steps.ts'
import { type WordCounts, wordCounter } from '../../../../core/model/word-counter.ts'
import type { Unit } from '../../../../core/model/unit.ts'
import type { SourceFile } from '../../../../core/source/file.ts'
import type { SiteTemplate } from '../../../../core/model/site-template.ts'
import type { UnitFacts } from '../../walk/facts.ts'
import { literalText } from '../../walk/literal-text.ts'
import { hasUnreadableTemplate } from '../query-rules.ts'
import { BUILT_IN, isPlural } from '../../walk/translations.ts'
import { namesOf } from './scan.ts'

export interface UnusedRules {
  readonly site: Site
  readonly siteTemplates: readonly SiteTemplate[]
  readonly factsOf: (key: string) => UnitFacts | undefined
  /** What the site runs. */
  readonly reach: { readonly reached: ReadonlySet<string> }
}

/** Words of a file that may name other files or keys. */
interface FileWords {
  /** Quoted texts. */
  readonly quoted: readonly string[]
  /** Names of files, such as `app.css`. */
  readonly files: readonly string[]
}

/** A character in the name of a file. */
const FILE_NAME = /[\w@.~-]/
const QUOTED = /'[^'\n]{1,100}'|"[^"\n]{1,100}"/g
/** Searches for the dot first, because most words contain no dot. */
const EXTENSION = /\.[a-z][a-z0-9]{1,5}\b/gi

const wordsIn = derived(({ text }: SourceFile): FileWords => {
  const quoted = new Set<string>()
  // Uses only the end of each match: creating a match array for each would take most of the time.
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

/** Counts the files that have a quoted text. */
const quotingFiles = wordCounter(({ file }: Unit) => (file.kind === 'asset' ? [] : wordsIn(file).quoted))
/** Counts the files that contain a file name. */
const namingFiles = wordCounter(({ file }: Unit) => wordsIn(file).files)
/** Counts quoted texts that may be keys of translations, in templates, settings and queries. */
const possibleKeys = wordCounter(({ file }: Unit) =>
  file.kind === 'asset' || file.kind === 'translation' ? [] : wordsIn(file).quoted,
)
/** Counts the texts in tags. */
const tagTexts = wordCounter((siteTemplate: SiteTemplate) => namesOf(siteTemplate).texts)

/** Caches a value that is computed from word counts, by the version of the counts. */
function cacheByVersion<Value>(make: (counts: Words) => Value): (counted: WordCounts) => Value {
  const known = attached<object, { readonly value: Value }>()
  return ({ version, counts }) => {
    let kept = known.get(version)
    if (kept === undefined) known.set(version, (kept = { value: make(counts) }))
    return kept.value
  }
}

/** Number of occurrences by word. */
type Words = ReadonlyMap<string, number>

/** Reports files, translations and assets that nothing names. */
export function* checkUnusedNames(rules: UnusedRules): Steps<readonly Diagnostic[]> {
  // A template that could not be parsed may name any file, translation or asset.
  if (hasUnreadableTemplate(rules.site)) return []
  return yield* concatSteps([unusedFiles, unusedAssets, unusedTranslations].map((rule) => () => rule(rules)))
}

/** Returns whether the file belongs to the site itself: a module offers its files to other sites, too. */
function isOwnFile({ file }: Unit): boolean {
  return file.module === null && !file.override
}

const namedInSettings = derivedFromFrame(namesInSettings)
const hasComputedLayout = derivedFromFrame(({ units }) =>
  units.some(({ settings }) => 'computedLayout' in settings && settings.computedLayout !== null),
)

function unusedFiles({ site, siteTemplates, factsOf, reach }: UnusedRules): readonly Diagnostic[] {
  const mayUseAnyForm = siteTemplates.some(({ key }) =>
    factsOf(key)?.notes.some(({ note }) => note.kind === 'include-form' && literalText(note.name) === null),
  )
  const mayUseAnyLayout = hasComputedLayout(site) || site.computedLayouts.size > 0
  const { counts: quoting } = quotingFiles(site.structureVersion, site.units)
  const namesInUse = namedInSettings(site)
  const usedLayouts = new Set([...site.pageLayouts.values()].map(({ file }) => file.path))
  const unusedUnits = (noun: string, units: ReadonlyMap<string, Unit>, isUsed: (unit: Unit) => boolean = () => false) =>
    [...namesByUnit(units)].flatMap(([unit, called]) => {
      const { path } = unit.file
      if (!isOwnFile(unit) || isUsed(unit)) return []
      const names = called.flatMap(spellings)
      if (names.some((each) => namesInUse.has(each))) return []
      const own = new Set(wordsIn(unit.file).quoted)
      if (names.some((each) => (quoting.get(each) ?? 0) > (own.has(each) ? 1 : 0))) return []
      return [unusedFile({ file: path, start: 0, end: 0 }, noun, called.at(-1) ?? '')]
    })
  return [
    ...(mayUseAnyLayout
      ? []
      : unusedUnits(
          'layout',
          site.layouts,
          (unit) => usedLayouts.has(unit.file.path) || reach.reached.has(unit.file.path),
        )),
    ...(mayUseAnyForm ? [] : unusedUnits('form', site.forms)),
    ...unusedUnits('authorization policy', site.policies),
    ...unusedUnits('email', site.emails),
    ...unusedUnits('text message', site.smses),
    ...unusedUnits('API call', site.apiCalls),
  ]
}

/** Returns a name as written and as the service writes it. */
function spellings(name: string): readonly string[] {
  return [name, name.replaceAll('_', '-')]
}

/** Returns all names of each unit. */
function namesByUnit(units: ReadonlyMap<string, Unit>): ReadonlyMap<Unit, readonly string[]> {
  const names = new Map<Unit, string[]>()
  for (const [name, unit] of units) {
    const knownNames = names.get(unit)
    if (knownNames === undefined) names.set(unit, [name])
    else knownNames.push(name)
  }
  return names
}

/** Settings of pages, forms and emails that name other files. */
interface NamingSettings
  extends Partial<Pick<FormSettings, 'authorizationPolicies' | `${'email' | 'sms' | 'apiCall'}Notifications`>> {
  readonly layout?: NamedReference | string | null
}

function namesInSettings({ units }: Site): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { settings } of units) {
    if (settings.kind === 'config' && settings.studio !== null) names.add(settings.studio.policy.name)
    if (settings.kind !== 'page' && settings.kind !== 'form' && settings.kind !== 'email') continue
    const namingSettings: NamingSettings = settings
    const lists = [
      namingSettings.authorizationPolicies,
      namingSettings.emailNotifications,
      namingSettings.smsNotifications,
      namingSettings.apiCallNotifications,
    ]
    for (const { name } of lists.flatMap((list) => list ?? [])) names.add(name)
    const { layout } = namingSettings
    if (layout != null) names.add(typeof layout === 'string' ? layout : layout.name)
  }
  return names
}

// ---- assets -----------------------------------------------------------------------------------------------------------

/** Assets that browsers and other clients request by themselves, and files that tools leave beside them. */
const CLIENT_REQUESTED =
  /(?:^|\/)(?:favicon|robots|manifest|site|browserconfig|apple-touch|\.|licen|readme)|\.(?:map|txt|md|webmanifest)$|\.[0-9a-f]{6,}\./i

/** Beginnings and endings of names that templates put together. */
const fileNameAffixes = cacheByVersion((counts) => ({
  prefixes: [...counts.keys()].map((text) => text.replace(/^\//, '')).filter((text) => /.[/_-]$/.test(text)),
  suffixes: [...counts.keys()].filter((text) => /^[\w-]*\.\w+$/.test(text) && text.startsWith('.')),
}))

function unusedAssets({ site, siteTemplates }: UnusedRules): readonly Diagnostic[] {
  const own = [...site.assets].filter(([name, path]) => path.startsWith('app/assets/') && !CLIENT_REQUESTED.test(name))
  if (own.length === 0) return []
  const { counts: files } = namingFiles(site.structureVersion, site.byFile)
  const { prefixes, suffixes } = fileNameAffixes(tagTexts(site.structureVersion, siteTemplates))
  return own.flatMap(([name, path]) => {
    const base = name.slice(name.lastIndexOf('/') + 1)
    if (files.has(base) || prefixes.some((text) => name.startsWith(text) || base.startsWith(text))) return []
    if (suffixes.some((text) => base.endsWith(text))) return []
    return [unusedAsset({ file: path, start: 0, end: 0 }, name)]
  })
}

// ---- translations -----------------------------------------------------------------------------------------------------

const LOCALE = 'en'

const keyAffixes = cacheByVersion((counts) => ({
  begins: [...counts.keys()].filter((text) => /^[\w-][\w.-]*\.$/.test(text)),
  ends: [...counts.keys()].filter((text) => /^\.[\w.-]*\w$/.test(text)),
}))

function unusedTranslations({ site, siteTemplates }: UnusedRules): readonly Diagnostic[] {
  const tree = site.translations.get(LOCALE)
  if (tree === undefined) return []
  // Texts in settings and queries may be keys as well.
  const wordCounts = [tagTexts(site.structureVersion, siteTemplates), possibleKeys(site.structureVersion, site.units)]
  const prefixes = wordCounts.flatMap((each) => keyAffixes(each).begins)
  const suffixes = wordCounts.flatMap((each) => keyAffixes(each).ends)
  const isUsed = (key: string) =>
    wordCounts.some(({ counts }) => counts.has(key)) ||
    prefixes.some((text) => key.startsWith(text)) ||
    suffixes.some((text) => key.endsWith(text))
  const diagnostics: Diagnostic[] = []
  const visit = (map: TranslationMap, path: string): void => {
    for (const [name, node] of map.entries) {
      if (path === '' && (name.startsWith('modules/') || BUILT_IN.test(name))) continue
      const key = path === '' ? name : `${path}.${name}`
      // A group that is named as a whole counts as used.
      const isGroup = node.kind === 'map' && !isPlural(node)
      if (isGroup ? key.includes('.') && isUsed(key) : isUsed(key)) continue
      if (isGroup) visit(node, key)
      else if (!/(?:^|\/)modules\//.test(node.keySpan.file)) diagnostics.push(unusedTranslation(node.keySpan, key))
    }
  }
  visit(tree, '')
  return diagnostics
}
