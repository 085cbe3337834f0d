/**
 * What the check of a template reads from the site and from other templates. Each read is recorded with a stamp, so that the template is
 * checked again only if something changes that it read.
 */
import type { RecordRead } from '../../core/model/memo.ts'
import type { Operations } from '../../core/model/operation.ts'
import type { Site } from '../../core/model/site.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'
import type { Type } from '../../core/model/type.ts'
import { isBlock, type Unit } from '../../core/model/unit.ts'
import type { Language } from '../../language/language.ts'
import type { AnyPartial } from '../analyze/any-partial.ts'
import { isMisspellable, misspeltLocals } from '../analyze/misspelt-locals.ts'
import { hasOwnPages } from './site/reach.ts'
import type { SiteNames } from './site-names.ts'
import type {
  CheckedUnit,
  Observer,
  ReadableOperations,
  ReadableSite,
  RecheckRequest,
  TemplateEnvironment,
  UnitFacts,
} from './walk/facts.ts'
import { globalsOf, isClosedKind } from './walk/host-names.ts'
import type { RequestValues } from './walk/request-values.ts'
import { timesWritten } from './walk/written-names.ts'

/** Types by parameter name. */
export type GivenTypes = ReadonlyMap<string, Type>

/** What is known about a site while its templates are checked. */
export interface SiteKnowledge {
  readonly site: Site
  readonly operations: Operations
  readonly language: Language
  readonly names: SiteNames
  /** Types of the data that notifications receive, by file. */
  readonly notifications: ReadonlyMap<string, Type>
  /** Types that callers pass, by template key. */
  readonly passedTypes: ReadonlyMap<string, GivenTypes>
  /** Types that callers are likely to pass, for templates with unknown callers. */
  readonly likelyTypes: ReadonlyMap<string, GivenTypes>
  /** The values that tags put into the request; null until they are known, and for templates that do not read them. */
  readonly requestsOf: (key: string) => RequestValues | null
  readonly checkedUnits: ReadonlyMap<string, CheckedUnit>
  readonly isIncluded: (file: string) => boolean
}

/** The kinds of reads. The key of a read is the name of what is read, or empty for a whole list. */
export type ReadKind =
  | ('asset' | 'partial' | 'query' | 'bare query' | 'inline query' | 'text' | 'prints' | 'facts' | 'included')
  | ('all assets' | 'all partials' | 'all queries' | 'translations' | 'user properties' | 'any partial' | 'any keys')
  | ('passed types' | 'likely types' | 'request values' | 'data of host')
  | ('read name' | 'given name' | 'form name' | 'names at calls' | 'times written')

/** The environment of a check. Everything is read on demand and recorded. */
export class Environment implements TemplateEnvironment {
  readonly site: ReadableSite
  readonly operations: ReadableOperations
  readonly tags: TemplateEnvironment['tags']
  readonly filters: TemplateEnvironment['filters']
  readonly isPartial: boolean
  readonly observer?: Observer
  readonly #siteTemplate: SiteTemplate
  readonly #known: SiteKnowledge
  readonly #record: RecordRead<ReadKind>
  readonly #newFacts: ReadonlyMap<string, UnitFacts> | undefined
  #params: ReadonlyMap<string, Type> | null | undefined
  #globals: ReadonlyMap<string, Type> | undefined
  #misspelt: ReadonlyMap<string, string> | undefined

  /** @param newer parts of a newer version of the site, which replace the known ones */
  constructor(
    siteTemplate: SiteTemplate,
    known: SiteKnowledge,
    record: RecordRead<ReadKind>,
    newer: Partial<Pick<RecheckRequest, 'site' | 'operations' | 'facts' | 'observer'>> = {},
  ) {
    const { site, operations } = { ...known, ...newer }
    this.#siteTemplate = siteTemplate
    this.#known = known
    this.#record = record
    this.#newFacts = newer.facts
    if (newer.observer != null) this.observer = newer.observer
    this.site = readableSite(site, record)
    this.operations = {
      storedOperations: new RecordedMap(operations.storedOperations, record, 'query', 'all queries'),
      bareNames: new RecordedMap(operations.bareNames, record, 'bare query', 'all queries'),
      inline: new RecordedMap(operations.inline, record, 'inline query', 'all queries'),
    }
    this.tags = known.language.tags
    this.filters = known.language.filters(site.dialect)
    this.isPartial = isPartial(siteTemplate, known.names)
  }

  get oldNames(): TemplateEnvironment['oldNames'] {
    return this.#known.names.oldNamesOf(this.#siteTemplate)
  }

  get params(): ReadonlyMap<string, Type> | null {
    // With the data of a host, arguments are added to the global names.
    return (this.#params ??= this.#known.site.globalsAreAll ? null : this.#passedTypes())
  }

  get likely(): ReadonlyMap<string, Type> | null {
    if (!this.isPartial || this.params !== null) return null
    const { key } = this.#siteTemplate
    this.#record('likely types', key)
    return this.#known.likelyTypes.get(key) ?? null
  }

  get closed(): boolean {
    const { dialect, openEntries } = this.#known.site
    if (isBlock(this.#siteTemplate.inner)) return true
    if (dialect !== 'platform' || openEntries) return false
    return this.isPartial ? this.params !== null : isClosedKind(this.#siteTemplate)
  }

  get misspelt(): ReadonlyMap<string, string> {
    return (this.#misspelt ??= this.#findMisspelt())
  }

  get globals(): ReadonlyMap<string, Type> {
    if (this.#globals === undefined) {
      const { key, unit } = this.#siteTemplate
      this.#record('request values', key)
      this.#record('data of host', unit.file.path)
      const sent = this.#known.notifications.get(unit.file.path)
      const globals = globalsOf(this.#known.site, this.#siteTemplate, this.#known.requestsOf(key), sent)
      const passed = this.#known.site.globalsAreAll ? this.#passedTypes() : null
      this.#globals = passed === null ? globals : new Map([...globals, ...passed])
    }
    return this.#globals
  }

  get anyPartial(): AnyPartial | null {
    this.#record('any partial', '')
    return this.#known.names.anyPartial
  }

  get anyKeys(): AnyPartial['changedKeys'] {
    this.#record('any keys', '')
    return this.#known.names.anyPartial?.changedKeys ?? null
  }

  facts(file: string): UnitFacts | undefined {
    this.#record('facts', file)
    return this.#newFacts?.get(file) ?? this.#known.checkedUnits.get(file)?.facts
  }

  isIncluded(file: string): boolean {
    this.#record('included', file)
    return this.#known.isIncluded(file)
  }

  isRead(name: string): boolean {
    this.#record('read name', name)
    return this.#known.names.namesRead.has(name)
  }

  prints(file: string): boolean {
    this.#record('prints', file)
    return isPrinting(this.#known.names, file)
  }

  textOf({ file: { path, text } }: Unit): string {
    this.#record('text', path)
    return text
  }

  /** Returns the intended variable for each misspelt name. */
  #findMisspelt(): ReadonlyMap<string, string> {
    const { site, names } = this.#known
    const { file } = this.#siteTemplate.unit
    if (site.dialect !== 'platform' || site.openEntries || !isMisspellable(this.#siteTemplate, this.isPartial))
      return NONE
    const { params } = this
    const isGivenByAny = (name: string): boolean => {
      if (params !== null) return params.has(name)
      const isForm = file.kind === 'form'
      this.#record(isForm ? 'form name' : 'given name', name)
      return (isForm ? names.namesForForms : names.namesGiven).has(name)
    }
    return misspeltLocals(this.#siteTemplate, {
      isGiven: (name) => site.globals.has(name) || isGivenByAny(name),
      areCallersKnown: !names.lacksModule && hasOwnPages(site),
      namesAtCalls: () => {
        this.#record('names at calls', file.path)
        return names.namesAtCalls(file.path)
      },
      countOf: (name) => {
        this.#record('times written', name)
        return timesWritten(name, site)
      },
    })
  }

  #passedTypes(): ReadonlyMap<string, Type> | null {
    const { key, inner } = this.#siteTemplate
    if (!this.isPartial && !isBlock(inner)) return null
    this.#record('passed types', key)
    return this.#known.passedTypes.get(key) ?? null
  }
}

/** Returns whether templates call the file and pass it names. A file in the folder of layouts can be called as well. */
export function isPartial({ inner, unit: { file } }: SiteTemplate, { filesCalledByName }: SiteNames): boolean {
  if (isBlock(inner)) return false
  return file.kind === 'partial' || (file.kind === 'layout' && filesCalledByName.has(file.path))
}

export function isPrinting({ byFile }: SiteNames, file: string): boolean {
  return byFile.get(file)?.some(({ inner, outline }) => inner === null && outline.prints) === true
}

function readableSite(site: Site, record: RecordRead<ReadKind>): ReadableSite {
  const { dialect, config, modules, globals, globalsAreAll } = site
  return {
    ...{ dialect, config, modules, globals, globalsAreAll },
    partials: new RecordedMap(site.partials, record, 'partial', 'all partials'),
    assets: new RecordedMap(site.assets, record, 'asset', 'all assets'),
    get translations() {
      record('translations', '')
      return site.translations
    },
    get unreadTranslations() {
      record('translations', '')
      return site.units.filter(
        ({ settings }) => settings.kind === 'translation' && settings.locales.every(({ tree }) => tree === null),
      )
    },
    get userProperties() {
      record('user properties', '')
      return site.data.user
    },
  }
}

/** A map whose reads are recorded: reads of one entry by its key, other reads as reads of all keys. */
class RecordedMap<Value> implements ReadonlyMap<string, Value> {
  readonly #map: ReadonlyMap<string, Value>
  readonly #recordOne: (key: string) => void
  readonly #recordAll: () => void

  constructor(map: ReadonlyMap<string, Value>, record: RecordRead<ReadKind>, one: ReadKind, all: ReadKind) {
    this.#map = map
    this.#recordOne = (key) => record(one, key)
    this.#recordAll = () => record(all, '')
  }

  get(key: string): Value | undefined {
    this.#recordOne(key)
    return this.#map.get(key)
  }

  has(key: string): boolean {
    this.#recordOne(key)
    return this.#map.has(key)
  }

  get size(): number {
    this.#recordAll()
    return this.#map.size
  }

  keys(): MapIterator<string> {
    this.#recordAll()
    return this.#map.keys()
  }

  *values(): MapIterator<Value> {
    for (const [, value] of this) yield value
  }

  *entries(): MapIterator<[string, Value]> {
    this.#recordAll()
    for (const [key, value] of this.#map) {
      this.#recordOne(key)
      yield [key, value]
    }
  }

  forEach(act: (value: Value, key: string, map: ReadonlyMap<string, Value>) => void): void {
    for (const [key, value] of this) act(value, key, this)
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries()
  }
}

const NONE: ReadonlyMap<string, string> = new Map()
