/** The pipeline on one screen: files in, modules or diagnostics out. Pure: no disk, no clock, no globals. */
import { bind } from './bind/bind.ts'
import { gatherAbsentModules } from './check/rules/absent-modules.ts'
import { Report, type Diagnostic } from './diagnostics/diagnostic.ts'
import { type EmitInput, emitContext } from './emit/emit.ts'
import { withoutFollowUps } from './diagnostics/follow-ups.ts'
import { ignoredFile } from './diagnostics/codes/site/ignored-file.ts'
import { applySuppressions } from './diagnostics/suppress.ts'
import type { Coverage } from './emit/coverage.ts'
import { rememberedManifest } from './emit/manifest.ts'
import { emitOperation } from './emit/operation.ts'
import { emitTemplates } from './emit/templates.ts'
import { LANGUAGE, type Language } from './language.ts'
import { link } from './link/link.ts'
import { linkOperations } from './link/operations.ts'
import type { ServedAssets } from './model/asset.ts'
import type { Dialect, Syntax } from './model/dialect.ts'
import type { FormatClass } from './model/effects.ts'
import type { Facts } from './model/facts.ts'
import { type Memo, NO_MEMO } from './model/memo.ts'
import type { Module } from './model/module.ts'
import type { Operations } from './model/operation.ts'
import type { CodeLanguage } from './model/printed.ts'
import type { Site } from './model/site.ts'
import type { Type } from './model/type.ts'
import { lintConfigOf, parse, parseConfig } from './parse/parse.ts'
import type { IgnoredPath } from './source/discover.ts'
import type { ModuleRequirements } from './source/manifests.ts'
import { type SourceFile, writtenTexts } from './source/file.ts'
import { inWrittenText } from './check/rules/written-places.ts'
import { emitFingerprint, fingerprintOf } from './emit/fingerprint.ts'
import { RUNTIME_NAMES } from './types/runtime.generated.ts'
import { check, checkFiles } from './check/check.ts'

export interface CompileOptions {
  readonly dialect: Dialect
  readonly syntax: Syntax
  /** With tags and filters of a host; the language alone by default. */
  readonly language?: Language
  /** Overrides `liquid_raise_mode` of the configuration, as if it were written there. */
  readonly raise?: boolean
  /** Emit also a site that has errors: what is wrong fails where it is reached. */
  readonly keepGoing: boolean
  /** Any unit may be rendered by name: the library face. */
  readonly openEntries: boolean
  /** Reading a variable, or a key of a hash, that is not there is an error. */
  readonly strictVariables?: boolean
  /** Base Liquid refuses a filter that it does not know. */
  readonly strictFilters?: boolean
  /** The code counts the nodes that it renders and the sizes of what it assigns, for limits of the host. */
  readonly scored?: boolean
  /** What the modules are printed as; TypeScript by default. */
  readonly printAs?: CodeLanguage
  /** Values that templates are given need not be plain data: dates, maps, instances of classes. */
  readonly takesHosted?: boolean
  /** What the host gives to every template, by name, with the types of the values. */
  readonly globals?: ReadonlyMap<string, Type>
  /** The globals are all that the host gives: a variable that none of them is, and nothing sets, is told, and so is all behind an error. */
  readonly globalsAreAll?: boolean
  /** Format of units that are rendered by name. */
  readonly format?: FormatClass
  /** The assets as they are served. Those that are not among them are served as they are, by URLs without a stamp. */
  readonly assets?: ServedAssets
  /** Files that look as if they belonged to the site and do not, with the reason. */
  readonly ignored?: readonly IgnoredPath[]
  /** Modules that the site's manifests ask for. */
  readonly requiredModules?: ModuleRequirements
  /** Only these files are looked at for what is wrong, each by itself: all others were, and have not changed. */
  readonly checkedFiles?: ReadonlySet<string>
}

export interface Compiled {
  readonly modules: readonly Module[]
  readonly diagnostics: readonly Diagnostic[]
  readonly site: Site
  readonly operations: Operations
  readonly facts: Facts
  /** How much of the emitted code goes by types. */
  readonly coverage: Coverage
}

const NO_ASSETS: ServedAssets = new Map()

/** `memo` remembers from one call to the next what did not change. */
export function compile(files: readonly SourceFile[], options: CompileOptions, memo: Memo = NO_MEMO): Compiled {
  const report = new Report()
  const language = options.language ?? LANGUAGE
  for (const { path, message, suggestion: meant } of options.ignored ?? [])
    report.add(ignoredFile({ file: path, start: 0, end: 0 }, message, meant))
  const config = parseConfig(files, report, memo)
  const units = parse(
    files,
    config,
    {
      ...options,
      readOn: options.globalsAreAll === true,
      ...(options.dialect === 'liquid' ? { interpolation: false } : {}),
    },
    report,
    memo,
  )
  const raise = options.raise ?? config.liquidRaiseMode
  const raiseQueries = options.raise ?? config.raiseQueries
  const site = link(units, config, { ...options, raise, raiseQueries }, report, memo)
  const operations = linkOperations(site, report, memo)
  const bounds = bind(site, memo, language)
  const { checkedFiles } = options
  const checked =
    checkedFiles === undefined
      ? check(site, operations, report, bounds, memo, options.format, language)
      : checkFiles(site, operations, report, bounds, memo, language, checkedFiles)
  const { facts } = checked
  report.settle(checked.reached)
  // From here on spans are those of the texts as they were written.
  const moved = inWrittenText(
    withoutFollowUps(gatherAbsentModules(report.all, checked.runByPages, options.requiredModules)),
    files,
  )
  const texts = writtenTexts(files)
  const diagnostics = applySuppressions(moved, (path) => texts.get(path), lintConfigOf(files))
  if (!options.keepGoing && diagnostics.some((each) => each.severity === 'error'))
    return { modules: [], diagnostics, site, operations, facts, coverage: new Map() }
  const input: EmitInput = {
    site,
    operations,
    tags: language.tags,
    filters: language.filters(site.dialect),
    bounds,
    facts,
    runtimeNames: new Set(RUNTIME_NAMES),
    assets: options.assets ?? NO_ASSETS,
    printAs: options.printAs ?? 'typescript',
  }
  const context = emitContext(input)
  const templates = emitTemplates(context, memo)
  const modules = [...templates.modules]
  for (const [name, operation] of operations.stored) {
    const inputs = [operation, context.operationName(name)]
    modules.push(memo.once('emit operation', name, inputs, () => emitOperation(context, name, operation)))
  }
  modules.push(emitFingerprint(context, fingerprintOf(files, memo)), rememberedManifest(context, facts.linked, memo))
  return { modules, diagnostics, site, operations, facts, coverage: templates.coverage }
}
