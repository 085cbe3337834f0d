/**
 * The order of the phases: parse → link → outline → check → rules → emit. This is its only description: the command line, the watcher,
 * editors, agents, deploys and the library all run it, each with its features. Pure: no disk, no clock, no globals. The steps yield between
 * short pieces of work, so that a program can answer requests, show the progress or stop. `memo` keeps results from one run to the next.
 */
import { Report } from '../core/diagnostics/diagnostic.ts'
import type { Memo } from '../core/model/memo.ts'
import type { Steps } from '../core/model/steps.ts'
import type { SourceFile } from '../core/source/file.ts'
import { LANGUAGE } from '../language/language.ts'
import { outlineSteps } from '../phases/analyze/outlines.ts'
import { checkFiles, checkSteps } from '../phases/check/check.ts'
import { reportIgnored } from '../phases/check/rules/site/ignored-file.ts'
import { emitSite } from '../phases/emit/emit-site.ts'
import { link } from '../phases/link/link.ts'
import { parseConfig, parseSteps } from '../phases/parse/parse.ts'
import type { Features } from './features.ts'
import { type Analysis, type Compiled, Findings, type PreparedSite } from './findings.ts'
import { type AnalysisOptions, type CompileOptions, parseOptionsOf } from './options.ts'

type Files = readonly SourceFile[]

/** Parses, links and outlines a site. */
export function* prepareSteps(
  files: Files,
  options: AnalysisOptions,
  { queries }: Features,
  memo: Memo,
): Steps<PreparedSite> {
  const report = new Report()
  const config = parseConfig(files, report, memo)
  const parsed = yield* parseSteps(files, config, parseOptionsOf(options), memo)
  for (const { diagnostics } of parsed) for (const diagnostic of diagnostics) report.add(diagnostic)
  yield { doing: 'Linking the files' }
  const { raise = config.liquidRaiseMode, raise: raiseQueries = config.raiseQueries, language = LANGUAGE } = options
  const units = parsed.map(({ unit }) => unit)
  const site = link(units, config, { ...options, raise, raiseQueries }, report, memo)
  yield
  const operations = yield* queries.link(site, report, memo)
  yield
  const outlines = yield* outlineSteps(site, memo, language)
  return { site, operations, outlines, diagnostics: report.diagnostics }
}

/** Prepares and checks a site: infers the types of each template, and runs the rules. */
export function* findingSteps(files: Files, options: AnalysisOptions, features: Features, memo: Memo): Steps<Findings> {
  const { format = 'html', language = LANGUAGE, checkedFiles, ignored = [] } = options
  const report = new Report()
  for (const diagnostic of reportIgnored(ignored)) report.add(diagnostic)
  const prepared = yield* prepareSteps(files, options, features, memo)
  const { site, operations, outlines, diagnostics } = prepared
  for (const diagnostic of diagnostics) report.add(diagnostic)
  const settings = { memo, format, language, features }
  const checked: Analysis['checked'] =
    checkedFiles === undefined
      ? yield* checkSteps(site, operations, report, outlines, settings)
      : checkFiles(site, operations, report, outlines, settings, checkedFiles)
  return new Findings(files, options, { ...prepared, checked }, report, features.siteCascades)
}

/** Emits the modules of an analysed site. A site with errors has none, unless the options allow them. */
export function* emissionSteps(analysis: Analysis, files: Files, options: CompileOptions, memo: Memo): Steps<Compiled> {
  const { site, operations, diagnostics, checked } = analysis
  const result = { diagnostics, site, operations, facts: checked.facts }
  if (!options.keepGoing && diagnostics.some(({ severity }) => severity === 'error'))
    return { ...result, modules: [], coverage: () => new Map() }
  const { tags, filters } = options.language ?? LANGUAGE
  const emitted = { ...analysis, ...result, tags, filters: filters(site.dialect) }
  return { ...result, ...(yield* emitSite(emitted, files, options, memo)) }
}
