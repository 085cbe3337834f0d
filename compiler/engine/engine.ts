/** The engine: files compiled in this process, rendered by their names. */
import { filesFromTexts, strayPartial } from '../source/from-texts.ts'
import type { SourceFile } from '../source/file.ts'
import type { Services } from '../../runtime/index.ts'
import { Compilation } from './compilation.ts'
import type { EngineDiagnostic } from './diagnostic.ts'
import { checkedOptions, type EngineOptions } from './options.ts'
import { type Data, EngineRender } from './render.ts'
import { memoryServices } from './services.ts'
import { type EngineSetup, setupOf } from './setup.ts'

export interface Engine {
  readonly diagnostics: readonly EngineDiagnostic[]
  /** Renders a unit by path or name, or what `background` names, with its variables. In base Liquid every template of the render sees them. @throws LiquidError; an error of a unit that has errors */
  render(name: string, data?: Data): Promise<string>
  /** The same at once. @throws Error where the unit suspends (a cache, a query) */
  renderSync(name: string, data?: Data): string
  /** Writes the rendered text as UTF-8 from the buffer's beginning and gives the number of bytes. @throws RangeError when it does not fit */
  renderInto(buffer: Uint8Array, name: string, data?: Data): number
}

/**
 * Compiles the files in this process. Never throws for errors of the site: they are in `diagnostics`, and rendering a unit that has any
 * throws them.
 * @throws EngineOptionError for an option that is unknown or wrong
 */
export function createEngine(options: EngineOptions = {}): Engine {
  return new CompiledEngine(checkedOptions(options))
}

class CompiledEngine implements Engine {
  readonly #setup: EngineSetup
  readonly #compilation: Compilation
  readonly #services: Services

  constructor(options: EngineOptions) {
    this.#setup = setupOf(options)
    this.#compilation = new Compilation(sourceFiles(options.files ?? {}, this.#setup), this.#setup)
    this.#services = memoryServices(options, this.#compilation.locate)
  }

  get diagnostics(): readonly EngineDiagnostic[] {
    return this.#compilation.diagnostics
  }

  // Functions of their own, so that they can be taken out of the engine.

  readonly render = async (name: string, data: Data = {}): Promise<string> => this.#start(name, data).text()

  readonly renderSync = (name: string, data: Data = {}): string => this.#start(name, data).textAtOnce(name)

  readonly renderInto = (buffer: Uint8Array, name: string, data: Data = {}): number =>
    this.#start(name, data).into(buffer, name)

  #start(name: string, data: Data): EngineRender {
    return new EngineRender(this.#compilation, this.#setup, this.#services, { name, data })
  }
}

function sourceFiles(texts: Readonly<Record<string, string>>, { compile }: EngineSetup): readonly SourceFile[] {
  return compile.dialect === 'platform'
    ? filesFromTexts(texts, true)
    : Object.entries(texts).map(([name, text]) => strayPartial(name, text))
}
