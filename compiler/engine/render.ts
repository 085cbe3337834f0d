/** One render of an entry: its state, the layout around a page, and what becomes of its errors. */
import * as runtime from '../../runtime/index.ts'
import type { Compilation, Entry } from './compilation.ts'
import { inReferenceWords } from './diagnostic.ts'
import type { EngineSetup } from './setup.ts'

export type Data = Readonly<Record<string, unknown>>

export class EngineRender {
  readonly #compilation: Compilation
  readonly #data: Data
  readonly #entry: Entry
  readonly #layout: { readonly render: runtime.RenderFace } | null
  /** The state of this render. */
  readonly r: runtime.Render

  /** @throws LiquidFault where there is nothing by the name, or the file has an error */
  constructor(
    compilation: Compilation,
    setup: EngineSetup,
    services: runtime.Services,
    { name, data }: { readonly name: string; readonly data: Data },
  ) {
    const entry = compilation.entry(name)
    if (entry === null) throw new runtime.LiquidFault(`there is no unit \`${name}\` to render`)
    const { page } = entry
    this.#compilation = compilation
    this.#data = data
    this.#entry = entry
    this.#layout = page?.layout == null ? null : (compilation.site.layouts[page.layout] ?? null)
    this.r = new runtime.Render(compilation.site, services, {
      context: withLanguage((data['context'] ?? {}) as Record<string, unknown>),
      format: page?.format ?? setup.format,
      limits: setup.limits,
      ...(compilation.site.dialect === 'liquid' ? { globals: data } : {}),
      raise: setup.raise,
      ...(entry.file !== null && { file: entry.file }),
    })
  }

  async text(): Promise<string> {
    try {
      return this.#measured(await this.#inLayout(await this.#entry.render(this.r, this.#data)))
    } catch (error) {
      return this.#ended(error)
    }
  }

  /** @throws Error where it suspends; `name` is what its message calls it */
  textAtOnce(name: string): string {
    try {
      return this.#measured(this.#atOnce(name))
    } catch (error) {
      return this.#ended(error)
    }
  }

  /** Writes the text as UTF-8 and gives the number of bytes. @throws RangeError when it does not fit */
  into(buffer: Uint8Array, name: string): number {
    const { bytes } = this.#entry
    // What is counted is known when the whole text is there.
    if (this.#layout !== null || bytes === undefined || this.r.limited)
      return runtime.writeText(buffer, this.textAtOnce(name), 0)
    try {
      return bytes(this.r, this.#data, buffer, 0)
    } catch (error) {
      return this.#fail(error)
    }
  }

  #atOnce(name: string): string {
    const page = atOnce(this.#entry.render(this.r, this.#data), name)
    return atOnce(this.#inLayout(page), name)
  }

  #inLayout(page: string): string | Promise<string> {
    const data = this.#layout === null ? null : { ...this.#data, content_for_layout: new runtime.Safe(page) }
    return this.#layout === null || data === null ? page : this.#layout.render(this.r, data)
  }

  #measured(text: string): string {
    const { renderLength } = this.r.limits
    if (renderLength !== undefined && runtime.byteLength(text) > renderLength) throw runtime.limitsExceeded()
    return text
  }

  /** Where base Liquid prints errors in their places, one of a limit of the host is printed in the place of everything. */
  #ended(error: unknown): string {
    const isLimit = error instanceof runtime.LimitFault && error.limit === 'score'
    if (!isLimit || this.r.raise || this.#compilation.site.dialect === 'platform') return this.#fail(error)
    return `Liquid error: ${error.message}`
  }

  /** Throws the error with its place in a template; one of our own code as it is. */
  #fail(error: unknown): never {
    const fault = runtime.asFault(error)
    if (fault.cause !== undefined && !(fault instanceof runtime.LimitFault)) throw fault.cause
    this.#compilation.locate(fault)
    throw this.#compilation.site.dialect === 'liquid' ? inReferenceWords(fault, this.#entry.file) : fault
  }
}

function atOnce(result: string | Promise<string>, name: string): string {
  if (typeof result !== 'string') {
    result.catch(() => {})
    throw new Error(`\`${name}\` suspends: render it with \`render\`, which is asynchronous`)
  }
  return result
}

function withLanguage(context: Record<string, unknown>): Record<string, unknown> {
  return Object.hasOwn(context, 'language') && Object.hasOwn(context, 'exports')
    ? context
    : { language: 'en', exports: {}, ...context }
}
