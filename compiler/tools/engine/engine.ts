/** The engine: files compiled in this process, rendered by their names. */
import { LANGUAGE } from '../../language/language.ts'
import { positionsOf } from '../../phases/emit/source-map.ts'
import { strayPartial } from '../../core/source/from-texts.ts'
import { type Data, LiquidFault, promisesMet, type Services, utf8 } from '../../../runtime/index.ts'
import { requireEntry } from '../../../runtime/page/renderer/entries.ts'
import { EntryRender, type Host } from '../../../runtime/page/renderer/entry-render.ts'
import { memoryServices } from '../../../runtime/page/renderer/memory-services.ts'
import { type Analysis, analysisOf } from './analysis.ts'
import { Compilation } from './compilation.ts'
import type { EngineDiagnostic } from './diagnostic.ts'
import { Evaluations } from './evaluation.ts'
import { Library } from './library.ts'
import { withoutPromises, withPromises } from './promises.ts'
import { checkedOptions, type EngineOptions } from './options.ts'
import { type EngineSetup, setupOf } from './setup.ts'
import { Texts } from './source.ts'
import { type NodeStream, nodeStream, pieces, type WebStream, webStream } from './stream.ts'
import { TEXT_NAME, TextCache } from './text-cache.ts'

export interface Engine {
  /** What is wrong with the files. */
  readonly diagnostics: readonly EngineDiagnostic[]
  /** Renders a unit by path or name, or what `background` names, with its variables. In base Liquid every template of the render sees them. @throws LiquidError; an error of a unit that has errors */
  render(name: string, data?: Data): Promise<string>
  /** The same at once. @throws Error where the unit suspends (a cache, a query), or its text comes as a promise */
  renderSync(name: string, data?: Data): string
  /** Writes the rendered text as UTF-8 from the buffer's beginning and gives the number of bytes. @throws RangeError when it does not fit */
  renderInto(buffer: Uint8Array, name: string, data?: Data): number
  /** The rendered text as UTF-8. */
  renderBytes(name: string, data?: Data): Promise<Uint8Array>
  /** The rendered text as a stream of the web, of UTF-8 in pieces. It is rendered when the first is read; reading sets the pace. */
  renderStream(name: string, data?: Data): WebStream
  /** The same as a stream of Node. */
  renderNodeStream(name: string, data?: Data): NodeStream
  /** Renders a text that is no file of the engine, and may call those. The texts that were used last stay compiled. */
  parseAndRender(text: string, data?: Data): Promise<string>
  /** The same at once. @throws Error where it suspends */
  parseAndRenderSync(text: string, data?: Data): string
  /** What an expression gives: what may stand in an output, or behind `if`. @throws LiquidError where it cannot be read, or fails */
  evaluate(expression: string, data?: Data): Promise<unknown>
  /** The same at once. @throws Error where it suspends */
  evaluateSync(expression: string, data?: Data): unknown
  /** What a file uses: variables, other files, filters and tags with their places. @throws LiquidError where there is no such file */
  analyze(name: string): Analysis
  /** The same of a text that is no file. */
  analyzeText(text: string): Analysis
  /** Takes over what the source has now: of one file, or of all. Only what an edit changes is compiled again. */
  invalidate(name?: string): void
  /** How many files the last edit has compiled to other code; all files where there was none. */
  readonly recompiled: number
  /** Gets files from a source that is asked for them, with all that they call, so that they can be rendered at once. */
  load(...names: readonly string[]): Promise<void>
}

/**
 * Compiles the files in this process. Never throws for errors of the site: they are in `diagnostics`, and rendering a unit that has any
 * throws them.
 * @throws EngineOptionError for an option that is unknown or wrong
 */
export function createEngine(options: EngineOptions = {}): Engine {
  return new CompiledEngine(checkedOptions(options))
}

/** How many texts and expressions stay compiled where the options do not say it. */
const MOST_TEXTS = 200

class CompiledEngine implements Engine {
  readonly #setup: EngineSetup
  readonly #texts: Texts
  readonly #library: Library
  readonly #parsed: TextCache
  readonly #evaluations: Evaluations
  readonly #expressions: TextCache
  readonly #services: Omit<Services, 'locate'>
  readonly #hosts = new WeakMap<Compilation, Host>()

  constructor(options: EngineOptions) {
    this.#setup = setupOf(options)
    this.#texts = new Texts(options.files ?? {})
    this.#library = new Library(this.#setup, this.#texts)
    const most = options.textCache ?? MOST_TEXTS
    this.#parsed = new TextCache(this.#setup, this.#library, most)
    this.#evaluations = new Evaluations(this.#setup)
    this.#expressions = new TextCache(this.#evaluations.setup, this.#library, most)
    this.#services = memoryServices(options)
    // What is wrong with the files is found out now, while whoever made the engine waits for it.
    if (!this.#texts.isAsked) this.#library.compilation
  }

  get diagnostics(): readonly EngineDiagnostic[] {
    return this.#library.compilation.diagnostics
  }

  get recompiled(): number {
    return this.#library.compilation.changed
  }

  // Functions of their own, so that they can be taken out of the engine.

  readonly render = async (name: string, data: Data = {}): Promise<string> => {
    await this.#library.ready([name])
    return withPromises(data, (known) => this.#start(this.#library.compilation, name, known).text())
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

  readonly renderStream = (name: string, data: Data = {}): WebStream => webStream(pieces(() => this.render(name, data)))

  readonly renderNodeStream = (name: string, data: Data = {}): NodeStream =>
    nodeStream(pieces(() => this.render(name, data)))

  readonly parseAndRender = async (text: string, data: Data = {}): Promise<string> => {
    await this.#library.ready(this.#calledIn(text))
    return withPromises(data, (known) => this.#start(this.#parsed.compiled(text), TEXT_NAME, known).text())
  }

  readonly parseAndRenderSync = (text: string, data: Data = {}): string => {
    this.#readyNow(this.#calledIn(text))
    return withoutPromises(
      promisesMet(),
      this.#start(this.#parsed.compiled(text), TEXT_NAME, data).textSync('the text'),
    )
  }

  readonly evaluate = async (expression: string, data: Data = {}): Promise<unknown> => {
    return withPromises(data, async (known) => {
      const started = this.#evaluation(expression, known)
      await started.text()
      return this.#evaluations.valueOf(started.r)
    })
  }

  readonly evaluateSync = (expression: string, data: Data = {}): unknown => {
    const started = this.#evaluation(expression, data)
    withoutPromises(promisesMet(), started.textSync('the expression'))
    return this.#evaluations.valueOf(started.r)
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
    let host = this.#hosts.get(compilation)
    if (host === undefined) {
      const { format, limits, raise } = setup
      const services = { ...this.#services, locate: compilation.locate }
      host = { site: compilation.site, services, format, limits, raise }
      this.#hosts.set(compilation, host)
    }
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
    const waiting = this.#library.ready(names)
    if (waiting === undefined) return
    // The error below tells the caller to wait. A failure to load is met again, and told, where the same names are asked for next.
    waiting.catch(() => {})
    throw new Error(
      `the source gives ${names.join(', ')} as a promise: render it with \`render\`, or \`load\` it before`,
    )
  }

  #analysisIn(compilation: Compilation, name: string): Analysis {
    const template = compilation.unit(name)?.template ?? null
    if (template === null) throw new LiquidFault(`there is no template \`${name}\``)
    const { dialect, language = LANGUAGE } = this.#setup.compile
    return analysisOf(template, { dialect, language, placeOf: positionsOf(compilation.files) })
  }
}
