/** The engine: compiles files in this process, and renders them by name. */
import { LANGUAGE } from '../../language/language.ts'
import { positionsOf } from '../../phases/emit/source-map.ts'
import { strayPartial } from '../../core/source/from-texts.ts'
import { type Data, LiquidFault, promisesMet, type Services, utf8 } from '../../../runtime/index.ts'
import { requireEntry } from '../../../runtime/page/renderer/entries.ts'
import { EntryRender, type Host } from '../../../runtime/page/renderer/entry-render.ts'
import { memoryServices } from '../../../runtime/page/renderer/memory-services.ts'
import { type Analysis, analyzeTemplate } from './analysis.ts'
import { Compilation } from './compilation.ts'
import type { EngineDiagnostic } from './diagnostic.ts'
import { Evaluations } from './evaluation.ts'
import type { LibraryHost } from './host.ts'
import { Library } from './library.ts'
import { withoutPromises, withPromises } from './promises.ts'
import { validateOptions, type EngineOptions } from './options.ts'
import { type EngineSetup, resolveSetup } from './setup.ts'
import { SourceTexts } from './source.ts'
import { type NodeStream, nodeStream, encodeChunks, type WebStream, webStream } from './stream.ts'
import { TEXT_NAME, TextCache } from './text-cache.ts'
import { getOrMake } from '../../core/source/maps.ts'

export interface Engine {
  /** The problems of the files. */
  readonly diagnostics: readonly EngineDiagnostic[]
  /**
   * Renders a unit by path or name, or a job by its `background` name, with variables. In base Liquid every template of the render sees
   * them.
   * @throws LiquidError; for a unit with errors, its first error
   */
  render(name: string, data?: Data): Promise<string>
  /** Like `render`, synchronously. @throws Error if the unit suspends (a cache, a query), or if its text is a promise */
  renderSync(name: string, data?: Data): string
  /** Writes the output as UTF-8 to the start of the buffer and returns the number of bytes. @throws RangeError if it does not fit */
  renderInto(buffer: Uint8Array, name: string, data?: Data): number
  /** Returns the output as UTF-8. */
  renderBytes(name: string, data?: Data): Promise<Uint8Array>
  /**
   * Returns the output as a web stream of UTF-8 chunks. Rendering starts with the first read, and chunks are encoded as they are read.
   */
  renderStream(name: string, data?: Data): WebStream
  /** Like `renderStream`, as a Node stream. */
  renderNodeStream(name: string, data?: Data): NodeStream
  /** Renders a text that is not a file of the engine. It may call the engine's files. Recently used texts stay compiled. */
  parseAndRender(text: string, data?: Data): Promise<string>
  /** Like `parseAndRender`, synchronously. @throws Error if the text suspends */
  parseAndRenderSync(text: string, data?: Data): string
  /** Evaluates an expression, as in an output or after `if`. @throws LiquidError if it cannot be parsed, or fails */
  evaluate(expression: string, data?: Data): Promise<unknown>
  /** Like `evaluate`, synchronously. @throws Error if it suspends */
  evaluateSync(expression: string, data?: Data): unknown
  /**
   * Returns what a file uses: variables, other files, filters and tags with their places.
   * @throws LiquidError if the file does not exist
   */
  analyze(name: string): Analysis
  /** Like `analyze`, for a text that is not a file. */
  analyzeText(text: string): Analysis
  /** Picks up changes of the source, in one file or in all. Only affected files are compiled again. */
  invalidate(name?: string): void
  /** The number of files whose code changed in the last update; all files before the first one. */
  readonly recompiled: number
  /** Loads files, and the files they call, from an asynchronous source, so that they can be rendered synchronously. */
  load(...names: readonly string[]): Promise<void>
}

/** Returns an engine of the library for Node or for browsers. @throws EngineOptionError for an unknown or invalid option */
export function engineOn(host: LibraryHost, options: EngineOptions): Engine {
  return new CompiledEngine(host, validateOptions(options))
}

/** Default number of texts and expressions that stay compiled. */
const DEFAULT_TEXT_CACHE = 200

class CompiledEngine implements Engine {
  readonly #setup: EngineSetup
  readonly #texts: SourceTexts
  readonly #library: Library
  readonly #parsed: TextCache
  readonly #evaluations: Evaluations
  readonly #expressions: TextCache
  readonly #services: Omit<Services, 'locate'>
  readonly #hosts = new WeakMap<Compilation, Host>()

  constructor(host: LibraryHost, options: EngineOptions) {
    this.#setup = resolveSetup(host, options)
    this.#texts = new SourceTexts(options.files ?? {})
    this.#library = new Library(this.#setup, this.#texts)
    const maxTexts = options.textCache ?? DEFAULT_TEXT_CACHE
    this.#parsed = new TextCache(this.#setup, this.#library, maxTexts)
    this.#evaluations = new Evaluations(this.#setup)
    this.#expressions = new TextCache(this.#evaluations.setup, this.#library, maxTexts)
    this.#services = memoryServices(options)
    // Compiles now, while the caller creates the engine, and not in the first render.
    if (!this.#texts.isAsked) this.#library.compilation
  }

  get diagnostics(): readonly EngineDiagnostic[] {
    return this.#library.compilation.diagnostics
  }

  get recompiled(): number {
    return this.#library.compilation.changedCount
  }

  // Arrow functions, so that callers can detach them from the engine.

  readonly render = async (name: string, data: Data = {}): Promise<string> => {
    await this.#library.ready([name])
    return withPromises(data, (resolvedData) => this.#start(this.#library.compilation, name, resolvedData).text())
  }

  readonly renderSync = (name: string, data: Data = {}): string => {
    this.#readyNow([name])
    return withoutPromises(promisesMet(), this.#start(this.#library.compilation, name, data).textSync(name))
  }

  readonly renderInto = (buffer: Uint8Array, name: string, data: Data = {}): number => {
    this.#readyNow([name])
    return withoutPromises(promisesMet(), this.#start(this.#library.compilation, name, data).into(buffer, name))
  }

  readonly renderBytes = async (name: string, data: Data = {}): Promise<Uint8Array> =>
    utf8(await this.render(name, data))

  readonly renderStream = (name: string, data: Data = {}): WebStream =>
    webStream(encodeChunks(() => this.render(name, data)))

  readonly renderNodeStream = (name: string, data: Data = {}): NodeStream =>
    nodeStream(encodeChunks(() => this.render(name, data)))

  readonly parseAndRender = async (text: string, data: Data = {}): Promise<string> => {
    await this.#library.ready(this.#calledIn(text))
    return withPromises(data, (resolvedData) =>
      this.#start(this.#parsed.compiled(text), TEXT_NAME, resolvedData).text(),
    )
  }

  readonly parseAndRenderSync = (text: string, data: Data = {}): string => {
    this.#readyNow(this.#calledIn(text))
    return withoutPromises(
      promisesMet(),
      this.#start(this.#parsed.compiled(text), TEXT_NAME, data).textSync('the text'),
    )
  }

  readonly evaluate = async (expression: string, data: Data = {}): Promise<unknown> => {
    return withPromises(data, async (resolvedData) => {
      const evaluation = this.#evaluation(expression, resolvedData)
      await evaluation.text()
      return this.#evaluations.valueOf(evaluation.r)
    })
  }

  readonly evaluateSync = (expression: string, data: Data = {}): unknown => {
    const evaluation = this.#evaluation(expression, data)
    withoutPromises(promisesMet(), evaluation.textSync('the expression'))
    return this.#evaluations.valueOf(evaluation.r)
  }

  readonly analyze = (name: string): Analysis => {
    this.#readyNow([name])
    return this.#analysisIn(this.#library.compilation, name)
  }

  readonly analyzeText = (text: string): Analysis =>
    this.#analysisIn(new Compilation([strayPartial(TEXT_NAME, text)], this.#setup), TEXT_NAME)

  readonly invalidate = (name?: string): void => this.#library.invalidate(name)

  readonly load = async (...names: readonly string[]): Promise<void> => this.#library.ready(names)

  #start(compilation: Compilation, name: string, data: Data, setup = this.#setup): EntryRender {
    const host = getOrMake(this.#hosts, compilation, () => {
      const { format, limits, raise } = setup
      const services = { ...this.#services, locate: compilation.locate }
      return { site: compilation.site, services, format, limits, raise }
    })
    return new EntryRender(host, requireEntry(compilation.entry(name), name), data)
  }

  #evaluation(expression: string, data: Data): EntryRender {
    const compilation = this.#expressions.compiled(this.#evaluations.template(expression))
    return this.#start(compilation, TEXT_NAME, data, this.#evaluations.setup)
  }

  #calledIn(text: string): readonly string[] {
    return this.#texts.isAsked ? this.#library.calledIn(text) : []
  }

  #readyNow(names: readonly string[]): void {
    const loading = this.#library.ready(names)
    if (loading === undefined) return
    // The error below reports the unfinished load. If the load fails, the next request for the same names throws its error.
    loading.catch(() => {})
    throw new Error(`the source returns a promise for ${names.join(', ')}: use \`render\`, or \`load\` it first`)
  }

  #analysisIn(compilation: Compilation, name: string): Analysis {
    const template = compilation.unit(name)?.template ?? null
    if (template === null) throw new LiquidFault(`there is no template \`${name}\``)
    const { dialect, language = LANGUAGE } = this.#setup.compile
    return analyzeTemplate(template, { dialect, language, placeOf: positionsOf(compilation.files) })
  }
}
