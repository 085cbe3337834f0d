/** Runs the pipeline: files in, modules or diagnostics out. */
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { Memo } from '../core/model/memo.ts'
import type { RunSteps, Steps } from '../core/model/steps.ts'
import type { SourceFile } from '../core/source/file.ts'
import type { Features } from './features.ts'
import type { Analysis, Compiled } from './findings.ts'
import type { AnalysisOptions, CompileOptions } from './options.ts'
import { emissionSteps, findingSteps } from './pipeline.ts'

/** Analyses a site step by step. `memo` keeps results between calls, even after an interruption. */
export function* analysisSteps(
  files: readonly SourceFile[],
  options: AnalysisOptions,
  features: Features,
  memo: Memo,
): Steps<Analysis> {
  return yield* (yield* findingSteps(files, options, features, memo)).all()
}

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
  run: RunSteps,
): readonly Diagnostic[] {
  return run(analysisSteps(files, options, features, memo)).diagnostics
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
  run: RunSteps,
): EarlyCompilation {
  const findings = run(findingSteps(files, options, features, memo))
  return {
    compiledSite: run(emissionSteps(run(findings.early()), files, options, memo)),
    *checkWarnings() {
      return (yield* findings.all()).diagnostics
    },
  }
}
