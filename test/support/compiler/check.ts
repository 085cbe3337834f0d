/** Checks small sites (path → text) without emitting code. */
import { expect, it } from 'vitest'
import { gatherAbsentModules } from '../../../compiler/phases/check/rules/calls/absent-module.ts'
import { outlineSite } from '../../../compiler/phases/analyze/outlines.ts'
import { type Checked, checkSteps } from '../../../compiler/phases/check/check.ts'
import { type Diagnostic, Report } from '../../../compiler/core/diagnostics/diagnostic.ts'
import { withoutCascades } from '../../../compiler/core/diagnostics/cascades.ts'
import { LANGUAGE } from '../../../compiler/language/language.ts'
import { ALL_FEATURES } from '../../../compiler/pipeline/all-features.ts'
import { link } from '../../../compiler/phases/link/link.ts'
import { linkOperationSteps } from '../../../compiler/phases/link/operations.ts'
import type { Dialect } from '../../../compiler/core/model/dialect.ts'
import { type Memo, Memory } from '../../../compiler/core/model/memo.ts'
import type { Operations } from '../../../compiler/core/model/operation.ts'
import type { Site } from '../../../compiler/core/model/site.ts'
import { runSteps } from '../../../compiler/core/model/steps.ts'
import { parse, parseConfig } from '../../../compiler/phases/parse/parse.ts'
import { lineStarts, position, type SourceFile } from '../../../compiler/core/source/file.ts'
import { classify } from '../../../compiler/core/source/kinds.ts'

export type Files = Readonly<Record<string, string>>

export interface CheckOptions {
  readonly dialect?: Dialect
  readonly openEntries?: boolean
  /** Whether errors end the render. True by default. */
  readonly raise?: boolean
  /** A cache that is shared by several calls. */
  readonly memo?: Memo
  /** Whether unused files are also reported. */
  readonly reportsUnused?: true
}

/** Codes that make sense only for whole sites. Most tests check parts of sites. */
const WHOLE_SITE_CODES: ReadonlySet<string> = new Set([
  'unused-file',
  'unused-asset',
  'unused-translation',
  'unread-fields',
])

export interface CheckedFiles extends Checked {
  readonly site: Site
  readonly operations: Operations
  readonly diagnostics: readonly Diagnostic[]
}

/** Checks files. A single text is the page `app/views/pages/index.liquid`. */
export function checkFiles(files: Files | string, options: CheckOptions = {}): CheckedFiles {
  const filesByPath: Files = typeof files === 'string' ? { [PAGE]: files } : files
  const sources = Object.entries(filesByPath).flatMap(([path, text]): SourceFile[] => {
    const found = classify(path)
    return found === null || 'reason' in found ? [] : [{ path, text, ...found }]
  })
  const dialect = options.dialect ?? 'platform'
  const memo = options.memo ?? new Memory(1)
  const report = new Report()
  const mode = { dialect, syntax: 'lax' as const }
  const config = parseConfig(sources, report, memo)
  const units = parse(sources, config, mode, report, memo)
  const site = link(
    units,
    config,
    { ...mode, raise: options.raise ?? true, raiseQueries: true, openEntries: options.openEntries ?? false },
    report,
    memo,
  )
  const operations = runSteps(linkOperationSteps(site, report, memo))
  const bounds = outlineSite(site, memo)
  const checked = runSteps(
    checkSteps(site, operations, report, bounds, { memo, format: 'html', language: LANGUAGE, features: ALL_FEATURES }),
  )
  for (const diagnostic of runSteps(checked.checkWarnings())) report.add(diagnostic)
  report.settle(checked.reached)
  return {
    ...checked,
    site,
    operations,
    diagnostics: withoutCascades(
      gatherAbsentModules(report.diagnostics, checked.runByPages),
      ALL_FEATURES.siteCascades,
    ).filter(({ code }) => options.reportsUnused === true || !WHOLE_SITE_CODES.has(code)),
  }
}

/** Returns diagnostics as `code line:column`. For files other than the index page, the file name comes before the position. */
export function problems(files: Files | string, options: CheckOptions = {}): readonly string[] {
  const { diagnostics } = checkFiles(files, options)
  return diagnostics.map((each) => {
    const text = typeof files === 'string' ? files : (files[each.span.file] ?? '')
    const { line, column } = position(lineStarts(text), each.span.start)
    const file =
      each.span.file === 'app/views/pages/index.liquid'
        ? ''
        : `${each.span.file.slice(each.span.file.lastIndexOf('/') + 1)} `
    return `${each.code} ${file}${line}:${column}`
  })
}

/** The path of a page that is passed as a single text. */
export const PAGE = 'app/views/pages/index.liquid'

type Row = readonly [name: string, files: Files | string, expected: readonly string[]]

export function partial(name: string, text: string): Files {
  return { [`app/views/partials/${name}.liquid`]: text }
}

export function site(page: string, ...more: readonly Files[]): Files {
  return Object.assign({ [PAGE]: page }, ...more)
}

/** Declares a test for each row, which compares the problems of its files with the expected ones. */
export function table(rows: readonly Row[]): void {
  it.each(rows)('%s', (_name, files, expected) => {
    expect(problems(files)).toEqual(expected)
  })
}
