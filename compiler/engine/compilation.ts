/** Compiled files: what is wrong with them, and what can be rendered of them by a name. */
import { compile } from '../compile.ts'
import { missingDynamicPartial } from '../diagnostics/codes/calls/missing-dynamic-partial.ts'
import { missingPartial } from '../diagnostics/codes/calls/missing-partial.ts'
import type { Dialect } from '../model/dialect.ts'
import { type SourceFile, writtenTexts } from '../source/file.ts'
import type * as runtime from '../../runtime/index.ts'
import { type EngineDiagnostic, plainDiagnostic, siteError } from './diagnostic.ts'
import { evaluate, type EvaluatedSite } from './evaluate.ts'
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

export class Compilation {
  readonly diagnostics: readonly EngineDiagnostic[]
  readonly site: runtime.CompiledSite
  readonly locate: EvaluatedSite['locate']
  readonly #dialect: Dialect
  /** The first error of each file that has any. */
  readonly #failing: ReadonlyMap<string, EngineDiagnostic>
  readonly #pages: ReadonlyMap<string, runtime.PageEntry>
  /** Partials and layouts by file. */
  readonly #templates: ReadonlyMap<string, Template>

  constructor(files: readonly SourceFile[], setup: EngineSetup) {
    const compiled = compile(files, setup.compile)
    const texts = writtenTexts(files)
    this.diagnostics = compiled.diagnostics.map((each) => plainDiagnostic(each, texts))
    const { dialect } = setup.compile
    this.#dialect = dialect
    const errors = this.diagnostics.filter(
      ({ severity, code }) => severity === 'error' && (dialect === 'platform' || !ERRORS_OF_CALLS.has(code)),
    )
    this.#failing = new Map(errors.toReversed().map((each) => [each.file, each]))
    const { site, locate } = evaluate(compiled.modules, files, setup.functions)
    this.site = site
    this.locate = locate
    const { pages, partials, layouts } = site
    this.#pages = new Map(pages.map((page) => [page.file, page]))
    this.#templates = new Map(
      [...Object.values(layouts), ...Object.values(partials)].map((template) => [template.file, template]),
    )
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
