/** Describes tables and their properties in Markdown, with where they are used. */
import { formatCount } from '../../../core/diagnostics/words.ts'
import type { Property, TableSettings } from '../../../core/model/settings.ts'
import type { Unit } from '../../../core/model/unit.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import type { SiteAnalysis } from '../workspace.ts'
import { propertiesOf } from './complete-fields.ts'
import type { Hover } from './descriptions.ts'
import { USER_TABLE } from './query-texts.ts'
import { findPlaces, findSymbolAt } from './symbols.ts'

/** Describes a table with its file and properties; null for an unknown table. */
export function describeTable(siteAnalysis: SiteAnalysis, table: string): string | null {
  const unit = tableNamed(siteAnalysis, table)
  if (unit === undefined) return null
  const rows = unit.settings.properties.map((each) => `- \`${each.name}\`: ${typeWords(each)}`)
  return [`\`${unit.file.path}\``, rows.join('\n')].join('\n\n')
}

/** Describes a property with its table and file; null for a property that is not declared. */
export function describeProperty(siteAnalysis: SiteAnalysis, table: string, name: string): string | null {
  const unit = tableNamed(siteAnalysis, table)
  const property = unit?.settings.properties.find((each) => each.name === name)
  if (unit === undefined || property === undefined) return null
  return `Property \`${name}\` (${typeWords(property)}) of ${ownerWords(unit)}: \`${unit.file.path}\``
}

/** Returns the hover of the name of a property, in the file of its table or in a form. */
export function hoverProperty(siteAnalysis: SiteAnalysis, { path }: SourceFile, offset: number): Hover | null {
  const unit = siteAnalysis.analysis.site.byFile.get(path)
  if (unit === undefined || (unit.settings.kind !== 'form' && !isTable(unit))) return null
  const symbol = findSymbolAt(siteAnalysis, unit, offset)
  if (symbol?.kind !== 'property') return null
  const { places } = findPlaces(siteAnalysis, symbol)
  const own = places.find(({ span }) => span.file === path && span.start <= offset && offset <= span.end)
  const words = describeProperty(siteAnalysis, symbol.table, symbol.name)
  if (own === undefined || words === null) return null
  const declared = tableNamed(siteAnalysis, symbol.table)?.settings.properties.find(({ name }) => name === symbol.name)
  const otherwise =
    declared?.default == null ? [] : [`Default: \`${defaultWords(siteAnalysis, symbol.table, declared)}\``]
  const { start, end } = own.span
  return { start, end, text: [words, ...otherwise, usesWords(siteAnalysis, places)].join('\n\n') }
}

/** Counts the files that use a property, by what they are. */
function usesWords({ analysis: { site } }: SiteAnalysis, places: ReturnType<typeof findPlaces>['places']): string {
  const files = { query: new Set<string>(), form: new Set<string>(), template: new Set<string>() }
  for (const { span, declares, isInQuery } of places) {
    if (declares) continue
    const kind = site.byFile.get(span.file)?.file.kind
    files[isInQuery === true ? 'query' : kind === 'form' ? 'form' : 'template'].add(span.file)
  }
  const counts = [
    files.query.size === 1 ? '1 query' : `${files.query.size} queries`,
    formatCount(files.form.size, 'form'),
    formatCount(files.template.size, 'template'),
  ]
  return `Used by ${counts.slice(0, -1).join(', ')} and ${counts.at(-1)}.`
}

function tableNamed({ analysis: { site } }: SiteAnalysis, table: string): Unit<TableSettings> | undefined {
  const tables = site.units.filter(isTable)
  return table === USER_TABLE
    ? tables.find(({ file }) => file.kind === 'user_schema')
    : (tables.find(({ file, settings }) => file.kind === 'table' && settings.name === table) ??
        tables.find(({ file, settings }) => file.kind === 'user_profile_schema' && settings.name === table))
}

function isTable(unit: Unit): unit is Unit<TableSettings> {
  return 'properties' in unit.settings
}

function ownerWords({ file, settings }: Unit<TableSettings>): string {
  if (file.kind === 'user_schema') return 'users'
  return `the ${file.kind === 'table' ? 'table' : 'profile'} \`${settings.name}\``
}

function typeWords({ type, text }: Property): string {
  return text ? 'text' : type
}

function defaultWords({ analysis: { site } }: SiteAnalysis, table: string, { name }: Property): string {
  return JSON.stringify(propertiesOf(site, table)?.find((each) => each.name === name)?.default ?? null)
}
