/** Compiled files: their errors, and their entry points by name. */
import { compile } from '../../pipeline/compile.ts'
import { missingDynamicPartial } from '../../core/diagnostics/codes/calls/missing-dynamic-partial.ts'
import { missingPartial } from '../../core/diagnostics/codes/calls/missing-partial.ts'
import { positionsOf } from '../../phases/emit/source-map.ts'
import type { Dialect } from '../../core/model/dialect.ts'
import { type Memo, Memory } from '../../core/model/memo.ts'
import type { Site } from '../../core/model/site.ts'
import { runSteps } from '../../core/model/steps.ts'
import type { Unit } from '../../core/model/unit.ts'
import { type SourceFile, writtenTexts } from '../../core/source/file.ts'
import type * as runtime from '../../../runtime/index.ts'
import { Entries, type Entry } from '../../../runtime/page/renderer/entries.ts'
import { type EngineDiagnostic, plainDiagnostic, siteError } from './diagnostic.ts'
import { evaluate, locate, type Locator } from './evaluate.ts'
import type { LiveSite } from './live-site.ts'
import type { EngineSetup } from './setup.ts'

/** Codes of calls that fail only at run time in base Liquid, such as a call of a missing partial. */
const RUNTIME_CALL_ERRORS: ReadonlySet<string> = new Set([missingPartial.code, missingDynamicPartial.code])

/** How a compilation continues an earlier one: the shared cache, and the live modules. */
export interface EarlierCompilation {
  readonly memo: Memo
  /** The live modules to update. With null, all modules are evaluated again in one scope, which makes calls faster. */
  readonly live: LiveSite | null
}

export class Compilation {
  readonly diagnostics: readonly EngineDiagnostic[]
  readonly site: runtime.CompiledSite
  /** The number of templates whose code differs from the previous compilation. */
  readonly changedCount: number
  readonly files: readonly SourceFile[]
  readonly #compiled: Site
  readonly #locator: Locator
  readonly #placeOf: ReturnType<typeof positionsOf>
  readonly #dialect: Dialect
  /** The first error of each file that has errors. */
  readonly #failing: ReadonlyMap<string, EngineDiagnostic>
  readonly #entries: Entries

  constructor(
    files: readonly SourceFile[],
    setup: EngineSetup,
    { memo, live }: EarlierCompilation = { memo: new Memory(1), live: null },
  ) {
    const compiledSite = compile(files, setup.compile, setup.features, memo, runSteps)
    const texts = writtenTexts(files)
    this.diagnostics = compiledSite.diagnostics.map((each) => plainDiagnostic(each, texts))
    const { dialect } = setup.compile
    this.#dialect = dialect
    const errors = this.diagnostics.filter(
      ({ severity, code }) => severity === 'error' && (dialect === 'platform' || !RUNTIME_CALL_ERRORS.has(code)),
    )
    this.#failing = new Map(errors.toReversed().map((each) => [each.file, each]))
    this.files = files
    this.#compiled = compiledSite.site
    this.#placeOf = positionsOf(files)
    if (live === null) {
      const { site, locator } = evaluate(compiledSite.modules, setup.functions)
      this.site = site
      this.changedCount = compiledSite.modules.length
      this.#locator = locator
    } else {
      const { site, changedCount } = live.update(compiledSite.modules)
      this.site = site
      this.changedCount = changedCount
      this.#locator = live.locator()
    }
    this.#entries = new Entries(this.site)
  }

  /** Sets the fault's file, line and frames. */
  readonly locate = (fault: runtime.LiquidFault): void => locate(fault, this.#locator, this.#placeOf)

  /** Returns a parsed file by its path or by a partial's name. */
  unit(name: string): Unit | null {
    return this.#compiled.byFile.get(name) ?? this.#compiled.partials.get(name) ?? null
  }

  /** Returns the entry point for a path or name; null if there is none. @throws LiquidFault the first error of the file */
  entry(name: string): Entry | null {
    const fileError = this.#failing.get(name)
    if (fileError !== undefined) throw siteError(fileError, this.#dialect)
    return this.#entries.find(name)
  }
}
