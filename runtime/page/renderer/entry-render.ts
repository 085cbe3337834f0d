/** One render of an entry: its state, the layout around a page, and what becomes of its errors. */
import { forgetViews } from '../values/host.ts'
import { writeText } from '../bytes.ts'
import { byteLength, limitsExceeded } from '../scores.ts'
import { LimitFault, type LiquidFault, referenceText } from '../fault.ts'
import { asFault, DEFAULT_LIMITS, type Limits, Render } from '../render.ts'
import type { Services } from '../services.ts'
import type { CompiledSite, Format, RenderFace } from '../site.ts'
import { Safe } from '../values/text.ts'
import type { Entry } from './entries.ts'

export type Data = Readonly<Record<string, unknown>>

/** Limits as a host gives them. */
export type GivenLimits = { readonly [Name in keyof Limits]?: Limits[Name] | undefined }

/** What all renders of a site have in common. */
export interface Host {
  readonly site: CompiledSite
  readonly services: Services
  /** Of entries that are no page. */
  readonly format: Format
  readonly limits: Limits
  /** Whether errors of templates are thrown. */
  readonly raise: boolean
}

export class EntryRender {
  /** The state of this render. */
  readonly r: Render
  readonly #site: CompiledSite
  readonly #services: Services
  readonly #data: Data
  readonly #entry: Entry
  readonly #layout: { readonly render: RenderFace } | null

  constructor({ site, services, format, limits, raise }: Host, entry: Entry, data: Data) {
    forgetViews()
    const { page } = entry
    this.#site = site
    this.#services = services
    this.#data = data
    this.#entry = entry
    this.#layout = page?.layout == null ? null : (site.layouts[page.layout] ?? null)
    this.r = new Render(site, services, {
      context: withLanguage((data['context'] ?? {}) as Record<string, unknown>),
      format: page?.format ?? format,
      limits,
      ...(site.dialect === 'liquid' ? { data } : {}),
      raise,
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
      return writeText(buffer, this.textAtOnce(name), 0)
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
    const data = this.#layout === null ? null : { ...this.#data, content_for_layout: new Safe(page) }
    return this.#layout === null || data === null ? page : this.#layout.render(this.r, data)
  }

  #measured(text: string): string {
    this.r.wrote(text.length)
    const { renderLength } = this.r.limits
    if (renderLength !== undefined && byteLength(text) > renderLength) throw limitsExceeded()
    return text
  }

  /** Where base Liquid prints errors in their places, one of a limit of the host is printed in the place of everything. */
  #ended(error: unknown): string {
    const isLimit = error instanceof LimitFault && error.limit === 'score'
    if (!isLimit || this.r.raise || this.#site.dialect === 'platform') return this.#fail(error)
    return `Liquid error: ${error.message}`
  }

  /** Throws the error with its place in a template; one of our own code as it is. */
  #fail(error: unknown): never {
    const fault = asFault(error)
    if (fault.cause !== undefined && !(fault instanceof LimitFault)) throw fault.cause
    this.#services.locate(fault)
    throw this.#site.dialect === 'liquid' ? inReferenceWords(fault, this.#entry.file) : fault
  }
}

/** Makes the text that the reference would print the message of an error that is thrown. */
export function inReferenceWords(fault: LiquidFault, rendered: string | null): LiquidFault {
  fault.message = referenceText(fault, rendered)
  return fault
}

/** The limits of a render; those that are not set, or undefined, have their defaults. */
export function limitsOf(limits: GivenLimits = {}): Limits {
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)) }
}

function atOnce(result: string | Promise<string>, name: string): string {
  if (typeof result !== 'string') {
    // What this rendering ends in is dropped with it: the error below says why.
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
