/** Compiled files: what is wrong with them, and what can be rendered of them by a name. */
import { compile } from '../compile.ts'
import { missingDynamicPartial } from '../diagnostics/codes/calls/missing-dynamic-partial.ts'
import { missingPartial } from '../diagnostics/codes/calls/missing-partial.ts'
import { placesOf } from '../emit/source-map.ts'
import type { Dialect } from '../model/dialect.ts'
import { type Memo, NO_MEMO } from '../model/memo.ts'
import type { Site } from '../model/site.ts'
import type { Unit } from '../model/unit.ts'
import { type SourceFile, writtenTexts } from '../source/file.ts'
import type * as runtime from '../../runtime/index.ts'
import { type EngineDiagnostic, plainDiagnostic, siteError } from './diagnostic.ts'
import { evaluate, locate, type Locator } from './evaluate.ts'
import type { LiveSite } from './live-site.ts'
import type { EngineSetup } from './setup.ts'

/** What a name stands for: a function that renders it, and the page whose settings it has. */
export interface Entry {
  /** Null for a job. */
  readonly file: string | null
  readonly render: runtime.RenderFace
  readonly bytes?: runtime.BytesFace
  readonly page: runtime.PageEntry | null
}

interface Template {
  readonly file?: string
  readonly render: runtime.RenderFace | null
  readonly bytes?: runtime.BytesFace
}

/** In base Liquid a call of what is not there is an error of the render that reaches it. */
const ERRORS_OF_CALLS: ReadonlySet<string> = new Set([missingPartial.code, missingDynamicPartial.code])

/** How a compilation follows an earlier one: what is remembered of it, and where its modules live. */
export interface Continued {
  readonly memo: Memo
  /** Null: all modules are evaluated anew, in one scope, which calls faster. */
  readonly live: LiveSite | null
}

export class Compilation {
  readonly diagnostics: readonly EngineDiagnostic[]
  readonly site: runtime.CompiledSite
  /** How many templates have other code than in the compilation before. */
  readonly changed: number
  readonly files: readonly SourceFile[]
  readonly #compiled: Site
  readonly #locator: Locator
  readonly #placeOf: ReturnType<typeof placesOf>
  readonly #dialect: Dialect
  /** The first error of each file that has any. */
  readonly #failing: ReadonlyMap<string, EngineDiagnostic>
  readonly #pages: ReadonlyMap<string, runtime.PageEntry>
  /** Partials and layouts by file. */
  readonly #templates: ReadonlyMap<string, Template>

  constructor(
    files: readonly SourceFile[],
    setup: EngineSetup,
    { memo, live }: Continued = { memo: NO_MEMO, live: null },
  ) {
    const compiled = compile(files, setup.compile, memo)
    const texts = writtenTexts(files)
    this.diagnostics = compiled.diagnostics.map((each) => plainDiagnostic(each, texts))
    const { dialect } = setup.compile
    this.#dialect = dialect
    const errors = this.diagnostics.filter(
      ({ severity, code }) => severity === 'error' && (dialect === 'platform' || !ERRORS_OF_CALLS.has(code)),
    )
    this.#failing = new Map(errors.toReversed().map((each) => [each.file, each]))
    this.files = files
    this.#compiled = compiled.site
    this.#placeOf = placesOf(files)
    if (live === null) {
      const { site, locator } = evaluate(compiled.modules, setup.functions)
      this.site = site
      this.changed = compiled.modules.length
      this.#locator = locator
    } else {
      const { site, changed } = live.update(compiled.modules)
      this.site = site
      this.changed = changed
      this.#locator = live.locator()
    }
    const { pages, partials, layouts } = this.site
    this.#pages = new Map(pages.map((page) => [page.file, page]))
    this.#templates = new Map(
      [...Object.values(layouts), ...Object.values(partials)].map((template) => [template.file, template]),
    )
  }

  /** Sets the fault's file, line and frames. */
  readonly locate = (fault: runtime.LiquidFault): void => locate(fault, this.#locator, this.#placeOf)

  /** The parsed file by its path or by the name of a partial. */
  unit(name: string): Unit | null {
    return this.#compiled.byFile.get(name) ?? this.#compiled.partials.get(name) ?? null
  }

  /**
   * What a file or a name stands for; null where there is nothing by it.
   * @throws LiquidFault the first error of the file
   */
  entry(name: string): Entry | null {
    const failed = this.#failing.get(name)
    if (failed !== undefined) throw siteError(failed, this.#dialect)
    const page = this.#pages.get(name) ?? null
    const template = page ?? this.#templates.get(name) ?? this.#unitNamed(name)
    return template === undefined || template.render === null
      ? null
      : {
          file: template.file ?? null,
          render: template.render,
          ...(template.bytes && { bytes: template.bytes }),
          page,
        }
  }

  /** A partial by its logical name, or what `background` names. */
  #unitNamed(name: string): Template | undefined {
    const { partials, jobs } = this.site
    if (Object.hasOwn(partials, name)) return partials[name]
    return Object.hasOwn(jobs, name) ? jobs[name] : undefined
  }
}
