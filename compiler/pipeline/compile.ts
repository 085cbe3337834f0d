/** The whole pipeline: files in, modules or diagnostics out. Pure: no disk, no clock, no globals. */
import { type Analysis, type AnalysisOptions, analysisSteps, earlyAnalysisSteps } from './analysis.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { Features } from './features.ts'
import { type EmitInput, emitContext } from '../phases/emit/emit.ts'
import type { EmitContext } from '../phases/emit/context.ts'
import type { Coverage } from '../phases/emit/coverage.ts'
import { emitFingerprint, fingerprintOf } from '../phases/emit/fingerprint.ts'
import { rememberedManifest } from '../phases/emit/manifest.ts'
import { emitOperation } from '../phases/emit/operation.ts'
import { emitSteps } from '../phases/emit/templates.ts'
import { LANGUAGE } from '../language/language.ts'
import type { ServedAssets } from '../core/model/asset.ts'
import type { Facts } from '../core/model/facts.ts'
import type { Memo } from '../core/model/memo.ts'
import type { Module } from '../core/model/module.ts'
import type { Operations } from '../core/model/operation.ts'
import type { CodeLanguage } from '../core/model/printed.ts'
import type { Site } from '../core/model/site.ts'
import type { Steps, RunSteps } from '../core/model/steps.ts'
import type { SourceFile } from '../core/source/file.ts'
import { RUNTIME_NAMES } from '../language/types/runtime.generated.ts'

export interface CompileOptions extends AnalysisOptions {
  /** Also emits a site with errors. At run time, code with an error fails when it is reached. */
  readonly keepGoing: boolean
  /** The language of the printed modules; TypeScript by default. */
  readonly printAs?: CodeLanguage
  /** The assets whose URLs contain a stamp. Other assets are served unchanged. */
  readonly assets?: ServedAssets
}

export interface Compiled {
  readonly modules: readonly Module[]
  readonly diagnostics: readonly Diagnostic[]
  readonly site: Site
  readonly operations: Operations
  readonly facts: Facts
  /** Statistics about how much of the emitted code uses static types. */
  readonly coverage: () => Coverage
}

const NO_ASSETS: ServedAssets = new Map()
const RUNTIME: ReadonlySet<string> = new Set(RUNTIME_NAMES)

/** Compiles a site. `memo` keeps results between calls. */
export function compile(
  files: readonly SourceFile[],
  options: CompileOptions,
  features: Features,
  memo: Memo,
  run: RunSteps,
): Compiled {
  const { compiledSite, checkWarnings } = compileEarly(files, options, features, memo, run)
  return { ...compiledSite, diagnostics: run(checkWarnings()) }
}

/** Returns the diagnostics of a site, sorted by file and position. Like `compile`, without the modules. */
export function diagnose(
  files: readonly SourceFile[],
  options: AnalysisOptions,
  features: Features,
  memo: Memo,
  walk: RunSteps,
): readonly Diagnostic[] {
  return walk(analysisSteps(files, options, features, memo)).diagnostics
}

/** The result of a compilation before all warnings are found. */
export interface EarlyCompilation {
  /** The diagnostics include all errors that prevent a build, and some warnings. */
  readonly compiledSite: Compiled
  /** Finds all diagnostics. Those that are added to `compiled` are not errors. */
  readonly checkWarnings: () => Steps<readonly Diagnostic[]>
}

/** Like `compile`, for callers that need the modules before all warnings are found. */
export function compileEarly(
  files: readonly SourceFile[],
  options: CompileOptions,
  features: Features,
  memo: Memo,
  walk: RunSteps,
): EarlyCompilation {
  const analysis = walk(earlyAnalysisSteps(files, options, features, memo))
  return {
    compiledSite: walk(emitSiteSteps(analysis, files, options, features, memo)),
    *checkWarnings() {
      return (yield* analysis.checkWarnings()).diagnostics
    },
  }
}

function* emitSiteSteps(
  { site, operations, outlines, checked, diagnostics }: Analysis,
  files: readonly SourceFile[],
  options: CompileOptions,
  features: Features,
  memo: Memo,
): Steps<Compiled> {
  const { facts } = checked
  const language = options.language ?? LANGUAGE
  if (!options.keepGoing && diagnostics.some((each) => each.severity === 'error'))
    return { modules: [], diagnostics, site, operations, facts, coverage: () => new Map() }
  const input: EmitInput = {
    site,
    operations,
    tags: language.tags,
    filters: language.filters(site.dialect),
    outlines,
    facts,
    runtimeNames: RUNTIME,
    assets: options.assets ?? NO_ASSETS,
    printAs: options.printAs ?? 'typescript',
  }
  const context = emitContext(input, memo)
  const templates = yield* emitSteps(context, features, memo)
  const modules = [
    ...templates.modules,
    ...emitOperationModules(context, memo),
    emitFingerprint(context, fingerprintOf(files, memo)),
    rememberedManifest(context, templates.callState, memo),
  ]
  return { modules, diagnostics, site, operations, facts, coverage: templates.coverage }
}

function emitOperationModules(context: EmitContext, memo: Memo): readonly Module[] {
  const { operations, operationName } = context
  return memo.once('emit operations', '', [operations.storedOperations, operationName], () =>
    [...operations.storedOperations].map(([name, operation]) =>
      memo.once('emit operation', name, [operation, operationName(name)], () =>
        emitOperation(context, name, operation),
      ),
    ),
  )
}
