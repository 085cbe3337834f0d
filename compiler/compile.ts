/** The whole pipeline with all features: files in, modules or diagnostics out. */
import type { Diagnostic } from './core/diagnostics/diagnostic.ts'
import { type Memo, Memory } from './core/model/memo.ts'
import { type RunSteps, runSteps } from './core/model/steps.ts'
import type { SourceFile } from './core/source/file.ts'
import { ALL_FEATURES } from './pipeline/all-features.ts'
import * as pipeline from './pipeline/compile.ts'
import type { Compiled } from './pipeline/findings.ts'
import type { AnalysisOptions, CompileOptions } from './pipeline/options.ts'

export type { EarlyCompilation } from './pipeline/compile.ts'
export type { Compiled } from './pipeline/findings.ts'
export type { CompileOptions } from './pipeline/options.ts'

/** Compiles a site. `memo` keeps results between calls. */
export function compile(
  files: readonly SourceFile[],
  options: CompileOptions,
  memo: Memo = new Memory(1),
  run: RunSteps = runSteps,
): Compiled {
  return pipeline.compile(files, options, ALL_FEATURES, memo, run)
}

/** Returns the diagnostics of a site, sorted by file and position. Like `compile`, without the modules. */
export function diagnose(
  files: readonly SourceFile[],
  options: AnalysisOptions,
  memo: Memo = new Memory(1),
  run: RunSteps = runSteps,
): readonly Diagnostic[] {
  return pipeline.diagnose(files, options, ALL_FEATURES, memo, run)
}

/** Like `compile`, for callers that need the modules before all warnings are found. */
export function compileEarly(
  files: readonly SourceFile[],
  options: CompileOptions,
  memo: Memo = new Memory(1),
  run: RunSteps = runSteps,
): pipeline.EarlyCompilation {
  return pipeline.compileEarly(files, options, ALL_FEATURES, memo, run)
}
