/** Checks small sites given as path → text, without emitting anything. */
import { bind } from '../../compiler/check/bind.ts'
import { type Checked, check } from '../../compiler/check/check.ts'
import { type Diagnostic, Report } from '../../compiler/diagnostics/diagnostic.ts'
import { TAGS } from '../../compiler/language.ts'
import { link } from '../../compiler/link/link.ts'
import type { Bound } from '../../compiler/model/bound.ts'
import type { Dialect } from '../../compiler/model/dialect.ts'
import { NO_MEMO } from '../../compiler/model/memo.ts'
import type { Site } from '../../compiler/model/site.ts'
import { parse, parseConfig } from '../../compiler/parse/parse.ts'
import { lineStarts, position, type SourceFile } from '../../compiler/source/file.ts'
import { classify } from '../../compiler/source/kinds.ts'
import { filterTable } from '../../compiler/types/filters.ts'

export type Files = Readonly<Record<string, string>>

export interface CheckOptions {
  readonly dialect?: Dialect
  readonly openEntries?: boolean
}

export interface CheckedFiles extends Checked {
  readonly site: Site
  readonly diagnostics: readonly Diagnostic[]
}

/** A text alone is the page `app/views/pages/index.liquid`. */
export function checkFiles(files: Files | string, options: CheckOptions = {}): CheckedFiles {
  const given: Files = typeof files === 'string' ? { 'app/views/pages/index.liquid': files } : files
  const sources = Object.entries(given).flatMap(([path, text]): SourceFile[] => {
    const found = classify(path)
    return found === null || 'ignored' in found ? [] : [{ path, text, ...found }]
  })
  const dialect = options.dialect ?? 'platform'
  const report = new Report()
  const mode = { dialect, syntax: 'lax' as const }
  const config = parseConfig(sources, report, NO_MEMO)
  const units = parse(sources, config, mode, report, NO_MEMO)
  const site = link(units, config, { ...mode, raise: true, openEntries: options.openEntries ?? false }, report)
  const filters = filterTable(dialect)
  const binding = { dialect, tags: TAGS, suspendingFilter: (name: string) => filters.get(name)?.suspends ?? false }
  const bounds = new Map<string, Bound>()
  for (const unit of site.units) {
    if (unit.template !== null) bounds.set(unit.file.path, bind(unit.template.nodes, binding))
    for (const [inner, template] of unit.inner) bounds.set(`${unit.file.path}#${inner}`, bind(template.nodes, binding))
  }
  const checked = check(site, report, bounds)
  report.settle(checked.reached)
  return { ...checked, site, diagnostics: report.all }
}

/** `code line:column`, for other files than the page `index` with `name.liquid ` before the place. */
export function problems(files: Files | string, options: CheckOptions = {}): readonly string[] {
  const { diagnostics } = checkFiles(files, options)
  return diagnostics.map((each) => {
    const text = typeof files === 'string' ? files : (files[each.span.file] ?? '')
    const { line, column } = position(lineStarts(text), each.span.start)
    const file = each.span.file === 'app/views/pages/index.liquid' ? '' : `${each.span.file.slice(each.span.file.lastIndexOf('/') + 1)} `
    return `${each.code} ${file}${line}:${column}`
  })
}
