/** The link phase: units → a site, every unit by the names that it is called by, overrides resolved. */
import type { Report } from '../diagnostics/diagnostic.ts'
import { duplicateName } from '../diagnostics/codes/duplicate-name.ts'
import { duplicateUnit } from '../diagnostics/codes/duplicate-unit.ts'
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
import { dataSchema } from './data.ts'
import { linkForms } from './forms.ts'

export interface LinkOptions {
  readonly dialect: Dialect
  readonly syntax: Syntax
  readonly raise: boolean
  readonly raiseQueries: boolean
  /** Every unit can be entered from outside. */
  readonly openEntries: boolean
}

/** Smaller wins where two files have one name: the application's override, then public, then `views/partials` before `lib`. */
function rank(unit: Unit): number {
  const { override, visibility, path, format } = unit.file
  return (
    (override ? 0 : 16) +
    (visibility === 'private' ? 8 : 0) +
    (/\/lib\//.test(path) ? 4 : 0) +
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
  const partials = named(['partial'])
  for (const unit of [...partials.values()]) {
    // A partial may have a second name.
    const path = (unit.settings as { path?: { name: string } | null }).path
    if (path !== null && path !== undefined && !partials.has(path.name)) partials.set(path.name, unit)
  }
  const layouts = named(['layout'])
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
    if (unit.file.kind === 'layout' && unit.file.format !== null && layouts.get(unit.file.name) !== unit)
      layoutKeys.set(`${unit.file.name}.${unit.file.format}`, unit)
  }
  const declared = dataSchema(tables, profiles, alive)
  const data = memo.once('data', '', [JSON.stringify(declared)], () => declared)
  const modules = new Set(units.flatMap((unit) => unit.file.module ?? []))
  const pages = alive.filter((unit): unit is Unit<PageSettings> => unit.file.kind === 'page')
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
    pageLayouts: new Map(
      pages.flatMap((page) => {
        const layout = layoutOf(page, layoutKeys, config)
        return layout === null ? [] : [[page.file.path, layout] as const]
      }),
    ),
    layouts,
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
