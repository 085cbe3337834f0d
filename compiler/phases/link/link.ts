/** The link phase: combines units into a site. Resolves names and overrides. */
import { APPLICATION } from '../../core/diagnostics/absent-modules.ts'
import type { Report } from '../../core/diagnostics/diagnostic.ts'
import { duplicateName } from '../../core/diagnostics/codes/site/duplicate-name.ts'
import { duplicateUnit } from '../../core/diagnostics/codes/site/duplicate-unit.ts'
import { groupBy } from '../../core/source/maps.ts'
import type { Memo } from '../../core/model/memo.ts'
import type {
  ConfigSettings,
  EmailSettings,
  LayoutSettings,
  MigrationSettings,
  PageSettings,
} from '../../core/model/settings.ts'
import type { Site } from '../../core/model/site.ts'
import { structureStamp } from '../../core/model/stamps.ts'
import type { Type } from '../../core/model/type.ts'
import { isOfKind, type SettingsOfKind, type Unit } from '../../core/model/unit.ts'
import { mergeTranslations } from '../../language/settings/translations.ts'
import { assetsByName } from '../../core/source/asset-names.ts'
import type { FileKind } from '../../core/source/file.ts'
import { folderRank } from '../../core/source/kinds.ts'
import { buildDataSchema } from './data-schema.ts'
import { linkForms } from './forms.ts'
import { FoldedTable, partialNames, withoutUnderscore } from './partial-names.ts'

/** A shared empty map, because caches compare it by identity. */
const NO_GLOBALS: ReadonlyMap<string, Type> = new Map()

/** The properties of a site that the program decides. */
type LinkOptions = Pick<Site, 'dialect' | 'syntax' | 'raise' | 'raiseQueries' | 'openEntries'> &
  Partial<Pick<Site, 'strictVariables' | 'strictFilters' | 'takesHosted' | 'globals' | 'globalsAreAll' | 'scored'>> &
  Partial<Pick<Site, 'testRuns'>>

/** Kinds of files that are searched in one folder after another. In each folder, overrides of the application come first. */
const KINDS_OF_FOLDERS: ReadonlySet<FileKind> = new Set(['partial', 'graphql'])

/**
 * Returns the precedence of a file; the file with the smallest number wins. Compared in this order: the folder (for kinds that are searched
 * by folder), an override of the application, and `public`.
 */
function precedenceOf({ file }: Unit): number {
  const { override, visibility, format, kind } = file
  return (
    (KINDS_OF_FOLDERS.has(kind) ? folderRank(file) * 16 : 0) +
    (override ? 0 : 8) +
    (visibility === 'private' ? 4 : 0) +
    (format === null ? 0 : format === 'html' ? 1 : 2)
  )
}

export function link(
  units: readonly Unit[],
  config: ConfigSettings,
  options: LinkOptions,
  report: Report,
  memo: Memo,
): Site {
  const { dialect, syntax, raise, raiseQueries, openEntries, globals = NO_GLOBALS, testRuns = [] } = options
  const { strictVariables = false, strictFilters = false, takesHosted = false } = options
  const { globalsAreAll = false, scored = false } = options
  const names = new UnitNames(units, report)
  // Reports the files that an override replaces, and the files that can never be called.
  names.unitsByName('partial')
  const layouts = names.unitsByName('layout')
  const namedPartials = partialTable(names.unitsInEffect('partial', 'layout'), report)
  const partials = dialect === 'liquid' ? new FoldedTable(namedPartials) : namedPartials
  addPlainNames(layouts)
  const policies = names.unitsByName('authorization_policy')
  const forms = names.unitsByName('form')
  const emails = names.unitsByName('email')
  const smses = names.unitsByName('sms')
  const apiCalls = names.unitsByName('api_call')
  const tables = names.unitsByName('table')
  const profiles = names.unitsByName('user_profile_schema')
  const graphql = names.unitsByName('graphql')
  names.dropReplacedPages()
  const effectiveUnits = names.unitsInEffect()
  const layoutUnits = names.unitsOfKind('layout')
  const layoutKeys = layoutKeysOf(layoutUnits, layouts)
  const declared = buildDataSchema(tables, profiles, names.unitsOfKind('user_schema'), config)
  const data = memo.once('data', '', [JSON.stringify(declared)], () => declared)
  const modules = moduleNamesOf(units)
  const pages = names.unitsOfKind('page')
  const computedLayouts = computedLayoutsOf(pages, config)
  const pageLayouts = pageLayoutsOf(pages, layoutKeys, computedLayouts, config)
  return {
    ...{ dialect, syntax, raise, raiseQueries, openEntries, config },
    structureVersion: structureVersionOf(effectiveUnits, config, memo),
    units: effectiveUnits,
    byFile: new Map(effectiveUnits.map((unit) => [unit.file.path, unit])),
    modules,
    pages,
    layoutKeys,
    pageLayouts,
    computedLayouts,
    layouts,
    layoutParts: layoutPartsOf(layoutUnits, layouts, pageLayouts, computedLayouts.size > 0 ? layoutKeys : null, emails),
    partials,
    policies,
    forms,
    formSchemas: linkForms(forms, data, modules, report, memo),
    emails,
    smses,
    apiCalls,
    graphql,
    data,
    migrations: sortedMigrations(names.unitsOfKind('migration')),
    translations: mergeTranslations(names.unitsOfKind('translation'), report),
    assets: assetsOf(units),
    ...{ strictVariables, strictFilters, takesHosted, globals, globalsAreAll, scored, testRuns },
  }
}

/** Returns an object that stays the same as long as only templates are edited. */
function structureVersionOf(units: readonly Unit[], config: ConfigSettings, memo: Memo): Site['structureVersion'] {
  return memo.once('structure', '', [config, ...units.map(structureStamp)], () => ({}))
}

/** Returns the names of modules that have files, and the application, unless the folder contains only modules. */
function moduleNamesOf(units: readonly Unit[]): ReadonlySet<string> {
  const owners = new Set(units.map((unit) => unit.file.module ?? APPLICATION))
  return owners.size === 0 ? new Set([APPLICATION]) : owners
}

/** Decides which unit a name refers to if several units of one kind have it. */
class UnitNames {
  readonly #units: readonly Unit[]
  readonly #unitsByKind: ReadonlyMap<FileKind, readonly Unit[]>
  readonly #report: Report
  /** Units replaced by overrides. */
  readonly #dropped = new Set<Unit>()

  constructor(units: readonly Unit[], report: Report) {
    this.#units = units
    this.#report = report
    this.#unitsByKind = groupBy(units, ({ file }) => file.kind)
  }

  /** Returns the units that no override replaces, of the given kinds or of all kinds. */
  unitsInEffect(...kinds: readonly FileKind[]): readonly Unit[] {
    return this.#units.filter(
      (unit) => !this.#dropped.has(unit) && (kinds.length === 0 || kinds.includes(unit.file.kind)),
    )
  }

  /** Returns the units of a kind that no override replaces. */
  unitsOfKind<Kind extends FileKind>(kind: Kind): readonly Unit<SettingsOfKind<Kind>>[] {
    const units = this.#unitsByKind.get(kind) ?? []
    return units.filter((unit): unit is Unit<SettingsOfKind<Kind>> => !this.#dropped.has(unit) && isOfKind(unit, kind))
  }

  unitsByName<Kind extends FileKind>(kind: Kind): Map<string, Unit<SettingsOfKind<Kind>>> {
    const table = new Map<string, Unit<SettingsOfKind<Kind>>>()
    for (const unit of this.#unitsByKind.get(kind) ?? []) {
      if (!isOfKind(unit, kind)) continue
      const name = nameOf(unit)
      const known = table.get(name)
      const isFirst = known === undefined || precedenceOf(unit) < precedenceOf(known)
      if (isFirst) table.set(name, unit)
      if (known !== undefined) this.#reportCollision(isFirst ? unit : known, isFirst ? known : unit)
    }
    return table
  }

  #reportCollision(winner: Unit, loser: Unit): void {
    const { file } = loser
    // Files with one name and several formats belong to different kinds of pages.
    if (winner.file.format !== file.format && file.kind !== 'table') return
    if (winner.file.override && !file.override) {
      this.#dropped.add(loser)
      return
    }
    const span = { file: file.path, start: 0, end: 0 }
    const winnerSpan = { file: winner.file.path, start: 0, end: 0 }
    if (file.kind === 'table' || file.kind === 'form')
      this.#report.add(duplicateName(span, file.kind === 'table' ? 'table' : 'form', nameOf(loser), winnerSpan))
    else if (winner.file.visibility === file.visibility)
      this.#report.add(duplicateUnit(span, WORDS[file.kind] ?? 'file', nameOf(loser), winnerSpan))
  }

  /** Removes pages of modules that an override with the same path replaces. */
  dropReplacedPages(): void {
    const pages = this.#units.filter(({ file }) => file.kind === 'page' && file.module !== null)
    // A module's page and its override are in the same group.
    for (const same of groupBy(pages, ({ file }) => `${file.name}\0${file.format}`).values()) {
      if (!same.some((unit) => unit.file.override)) continue
      for (const unit of same) if (!unit.file.override) this.#dropped.add(unit)
    }
  }
}

/** Returns the partials by all of their names. Names from settings have a lower precedence than file names. */
function partialTable(units: readonly Unit[], report: Report): Map<string, Unit> {
  const partials = partialNames(units, report)
  for (const unit of [...partials.values()]) {
    const path = unit.settings.kind === 'partial' ? unit.settings.path : null
    if (path !== null && !partials.has(path.name)) partials.set(path.name, unit)
  }
  return partials
}

/** Adds the names without underscore for layouts whose names begin with one. */
function addPlainNames(layouts: Map<string, Unit>): void {
  for (const [name, unit] of [...layouts]) {
    const plain = withoutUnderscore(name)
    if (plain !== null && !layouts.has(plain)) layouts.set(plain, unit)
  }
}

/** Returns every layout by a unique key: its name, with the format (`name.csv`) for further formats. */
function layoutKeysOf(units: readonly Unit<LayoutSettings>[], layouts: Site['layouts']): Site['layoutKeys'] {
  const keys = new Map(layouts)
  for (const unit of units) {
    const { name, format } = unit.file
    if (format === null || layouts.get(name) === unit) continue
    for (const each of [name, withoutUnderscore(name)])
      if (each !== null && !keys.has(`${each}.${format}`)) keys.set(`${each}.${format}`, unit)
  }
  return keys
}

function pageLayoutsOf(
  pages: readonly Unit<PageSettings>[],
  layoutKeys: Site['layoutKeys'],
  computed: Site['computedLayouts'],
  config: ConfigSettings,
): Site['pageLayouts'] {
  const layouts = new Map<string, Unit<LayoutSettings>>()
  for (const page of pages) {
    if (computed.has(page.file.path)) continue
    const layout = layoutOf(page, layoutKeys, config)
    if (layout !== null) layouts.set(page.file.path, layout)
  }
  return layouts
}

function computedLayoutsOf(
  pages: readonly Unit<PageSettings>[],
  { computedLayout }: ConfigSettings,
): Site['computedLayouts'] {
  const computed = new Map<string, 'page' | 'config'>()
  for (const { file, settings } of pages) {
    if (settings.computedLayout !== null) computed.set(file.path, 'page')
    else if (computedLayout !== null && settings.layout === null && hasDefaultLayout(settings))
      computed.set(file.path, 'config')
  }
  return computed
}

const WORDS: Partial<Record<FileKind, string>> = {
  partial: 'partial',
  layout: 'layout',
  authorization_policy: 'policy',
  email: 'email',
  sms: 'text message',
  api_call: 'API call',
  graphql: 'query',
  user_profile_schema: 'user profile',
}

/** Returns the unit's name. Kinds with a `name` setting use that, with the prefix of their module. */
function nameOf({ file, settings }: Unit): string {
  return 'name' in settings ? settings.name : file.name
}

/**
 * Returns the files in layout folders that no page or email uses as its layout.
 * @param computed layouts that a computed layout name may refer to; null if no page has a computed layout name
 */
function layoutPartsOf(
  units: readonly Unit[],
  layouts: ReadonlyMap<string, Unit>,
  pageLayouts: ReadonlyMap<string, Unit>,
  computed: ReadonlyMap<string, Unit> | null,
  emails: ReadonlyMap<string, Unit<EmailSettings>>,
): ReadonlySet<Unit> {
  const used = new Set<Unit | undefined>(pageLayouts.values())
  // A computed name may refer to any layout except those whose names begin with an underscore.
  for (const unit of computed?.values() ?? []) if (withoutUnderscore(unit.file.name) === null) used.add(unit)
  for (const { settings } of emails.values()) if (settings.layout !== null) used.add(layouts.get(settings.layout.name))
  return new Set(units.filter((unit) => !used.has(unit)))
}

/** Sorts migrations by the number in their names, then by name. */
function sortedMigrations(units: readonly Unit<MigrationSettings>[]): readonly Unit<MigrationSettings>[] {
  const time = (unit: Unit<MigrationSettings>) => BigInt(unit.settings.timestamp ?? 0)
  return units.toSorted((a, b) =>
    time(a) === time(b) ? (a.file.name < b.file.name ? -1 : 1) : time(a) < time(b) ? -1 : 1,
  )
}

function assetsOf(units: readonly Unit[]): Map<string, string> {
  const files = assetsByName(units.map(({ file }) => file))
  return new Map([...files].map(([name, { path }]) => [name, path]))
}

/** Returns true if the default layout applies to the page. It applies only to HTML pages. */
function hasDefaultLayout({ format }: PageSettings): boolean {
  return format === 'html' || format === 'pdf'
}

/** Returns the layout of a page. Null if the page has no layout, or if the default layout does not exist. */
function layoutOf(
  page: Unit<PageSettings>,
  layouts: Site['layoutKeys'],
  config: ConfigSettings,
): Unit<LayoutSettings> | null {
  const { layout, format } = page.settings
  if (layout === '') return null
  if (layout === null && !hasDefaultLayout(page.settings)) return null
  const name = layout ?? config.defaultLayout
  // A layout in the page's own format is preferred.
  return layouts.get(`${name}.${format}`) ?? layouts.get(name) ?? null
}
