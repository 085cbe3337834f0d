/** The link phase: units → a site, every unit by the names that it is called by, overrides resolved. */
import type { Report } from '../diagnostics/diagnostic.ts'
import { duplicateName } from '../diagnostics/codes/site/duplicate-name.ts'
import { duplicateUnit } from '../diagnostics/codes/site/duplicate-unit.ts'
import type { Dialect, Syntax } from '../model/dialect.ts'
import { type Memo, NO_MEMO } from '../model/memo.ts'
import type {
  ApiCallSettings,
  ConfigSettings,
  EmailSettings,
  MigrationSettings,
  PageSettings,
  SmsSettings,
  TranslationSettings,
} from '../model/settings.ts'
import type { Site } from '../model/site.ts'
import type { Unit } from '../model/unit.ts'
import { mergeTranslations } from '../settings/translations.ts'
import type { FileKind } from '../source/file.ts'
import { folderRank } from '../source/kinds.ts'
import { dataSchema } from './data.ts'
import { linkForms } from './forms.ts'
import { partialNames, withoutUnderscore } from './partial-names.ts'

export interface LinkOptions {
  readonly dialect: Dialect
  readonly syntax: Syntax
  readonly raise: boolean
  readonly raiseQueries: boolean
  /** Every unit can be entered from outside. */
  readonly openEntries: boolean
}

/** Kinds whose folders are gone through one after the other, each in the application's overrides and in the module. */
const BY_FOLDER: ReadonlySet<FileKind> = new Set(['partial', 'graphql'])

/** Smaller wins where two files have one name: the first folder of such a kind, then the application's override, then public. */
function rank({ file }: Unit): number {
  const { override, visibility, format, kind } = file
  return (
    (BY_FOLDER.has(kind) ? folderRank(file) * 16 : 0) +
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
  memo: Memo = NO_MEMO,
): Site {
  const dropped = new Set<Unit>()
  const named = (kinds: readonly FileKind[]): Map<string, Unit> => {
    const table = new Map<string, Unit>()
    for (const unit of units) {
      if (!kinds.includes(unit.file.kind)) continue
      const name = nameOf(unit)
      const known = table.get(name)
      if (known === undefined) {
        table.set(name, unit)
        continue
      }
      const [winner, loser] = rank(unit) < rank(known) ? [unit, known] : [known, unit]
      table.set(name, winner)
      collide(winner, loser)
    }
    return table
  }
  const collide = (winner: Unit, loser: Unit): void => {
    const { file } = loser
    // The same name in several formats is one file for each kind of page.
    if (winner.file.format !== file.format && file.kind !== 'table') return
    if (winner.file.override && !file.override) {
      dropped.add(loser)
      return
    }
    const at = { file: file.path, start: 0, end: 0 }
    const other = { file: winner.file.path, start: 0, end: 0 }
    if (file.kind === 'table' || file.kind === 'form')
      report.add(duplicateName(at, file.kind === 'table' ? 'table' : 'form', nameOf(loser), other))
    else if (winner.file.visibility === file.visibility)
      report.add(duplicateUnit(at, WORDS[file.kind] ?? 'file', nameOf(loser), other))
  }
  // Tells which files an override replaces, and which nothing can call.
  named(['partial'])
  const layouts = named(['layout'])
  const partials = partialNames(
    units.filter((unit) => (unit.file.kind === 'partial' || unit.file.kind === 'layout') && !dropped.has(unit)),
    report,
  )
  for (const unit of [...partials.values()]) {
    // A partial may have a second name.
    const path = (unit.settings as { path?: { name: string } | null }).path
    if (path !== null && path !== undefined && !partials.has(path.name)) partials.set(path.name, unit)
  }
  for (const [name, unit] of [...layouts]) {
    const plain = withoutUnderscore(name)
    if (plain !== null && !layouts.has(plain)) layouts.set(plain, unit)
  }
  const policies = named(['authorization_policy'])
  const forms = named(['form'])
  const emails = named(['email']) as Map<string, Unit<EmailSettings>>
  const smses = named(['sms']) as Map<string, Unit<SmsSettings>>
  const apiCalls = named(['api_call']) as Map<string, Unit<ApiCallSettings>>
  const tables = named(['table'])
  const profiles = named(['user_profile_schema'])
  const graphql = named(['graphql'])
  for (const group of [pagesByIdentity(units)]) {
    for (const same of group.values()) {
      const winner = same.find((unit) => unit.file.override)
      if (winner !== undefined) for (const unit of same) if (!unit.file.override) dropped.add(unit)
    }
  }
  const alive = units.filter((unit) => !dropped.has(unit))
  const layoutKeys = new Map<string, Unit>(layouts)
  for (const unit of alive) {
    if (unit.file.kind !== 'layout' || unit.file.format === null || layouts.get(unit.file.name) === unit) continue
    for (const name of [unit.file.name, withoutUnderscore(unit.file.name)]) {
      const key = `${name}.${unit.file.format}`
      if (name !== null && !layoutKeys.has(key)) layoutKeys.set(key, unit)
    }
  }
  const declared = dataSchema(tables, profiles, alive, config.searchIndexes)
  const data = memo.once('data', '', [JSON.stringify(declared)], () => declared)
  const modules = new Set(units.flatMap((unit) => unit.file.module ?? []))
  const pages = alive.filter((unit): unit is Unit<PageSettings> => unit.file.kind === 'page')
  const pageLayouts = new Map(
    pages.flatMap((page) => {
      const layout = layoutOf(page, layoutKeys, config)
      return layout === null ? [] : [[page.file.path, layout] as const]
    }),
  )
  return {
    dialect: options.dialect,
    syntax: options.syntax,
    raise: options.raise,
    raiseQueries: options.raiseQueries,
    config,
    units: alive,
    byFile: new Map(alive.map((unit) => [unit.file.path, unit])),
    modules,
    pages,
    layoutKeys,
    pageLayouts,
    layouts,
    layoutParts: partsOf(alive, layouts, pageLayouts, emails),
    partials,
    policies,
    forms,
    formSchemas: linkForms(forms, data, modules, report, memo),
    emails,
    smses,
    apiCalls,
    graphql,
    data,
    migrations: migrationsOf(alive),
    translations: mergeTranslations(
      alive
        .filter((unit) => unit.file.kind === 'translation')
        .map((unit) => ({ file: unit.file, settings: unit.settings as TranslationSettings })),
      report,
    ),
    assets: assetsOf(units),
    openEntries: options.openEntries,
  }
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

/** Kinds with a `name` in their settings carry it there, with the prefix of their module. */
function nameOf(unit: Unit): string {
  const name = (unit.settings as { name?: unknown } | null)?.name
  return typeof name === 'string' ? name : unit.file.name
}

/** Files beside layouts that no page or e-mail names as its layout. */
function partsOf(
  units: readonly Unit[],
  layouts: ReadonlyMap<string, Unit>,
  pageLayouts: ReadonlyMap<string, Unit>,
  emails: ReadonlyMap<string, Unit<EmailSettings>>,
): ReadonlySet<Unit> {
  const used = new Set<Unit | undefined>(pageLayouts.values())
  for (const { settings } of emails.values()) if (settings.layout !== null) used.add(layouts.get(settings.layout.name))
  return new Set(units.filter((unit) => unit.file.kind === 'layout' && !used.has(unit)))
}

/** A module's page and its override have one path below the module. */
function pagesByIdentity(units: readonly Unit[]): Map<string, Unit[]> {
  const groups = new Map<string, Unit[]>()
  for (const unit of units) {
    if (unit.file.kind !== 'page' || unit.file.module === null) continue
    const key = `${unit.file.name}\0${unit.file.format}`
    groups.set(key, [...(groups.get(key) ?? []), unit])
  }
  return groups
}

/** By their times; those of one moment by their names. */
function migrationsOf(units: readonly Unit[]): readonly Unit<MigrationSettings>[] {
  const time = (unit: Unit<MigrationSettings>) => unit.settings.timestamp ?? ''
  return units
    .filter((unit): unit is Unit<MigrationSettings> => unit.file.kind === 'migration')
    .toSorted((a, b) => (time(a) === time(b) ? (a.file.name < b.file.name ? -1 : 1) : time(a) < time(b) ? -1 : 1))
}

function assetsOf(units: readonly Unit[]): Map<string, string> {
  const assets = new Map<string, string>()
  const files = units.filter((unit) => unit.file.kind === 'asset').sort((a, b) => rank(b) - rank(a))
  for (const { file } of files) assets.set(file.name, file.path)
  return assets
}

/** The layout of a page; null for none, and for a default layout that does not exist. */
function layoutOf(page: Unit<PageSettings>, layouts: ReadonlyMap<string, Unit>, config: ConfigSettings): Unit | null {
  const { layout, format } = page.settings
  if (layout === '') return null
  // Only pages in HTML have a layout by default.
  if (layout === null && format !== 'html' && format !== 'pdf') return null
  const name = layout ?? config.defaultLayout
  // A layout of the page's own format is preferred.
  return layouts.get(`${name}.${format}`) ?? layouts.get(name) ?? null
}
