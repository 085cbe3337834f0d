/** One render of an entry: its state, the layout around a page, and its errors. */
import { type Fields, fields } from '../values/access.ts'
import { forgetViews } from '../values/host-values.ts'
import { writeText } from '../bytes.ts'
import { byteLength, limitsExceeded } from '../value-size.ts'
import { LimitFault, type LiquidFault, referenceText } from '../fault.ts'
import { asFault, Render } from '../render.ts'
import { DEFAULT_LIMITS, type Limits } from '../limits.ts'
import type { Services } from '../services.ts'
import type { CompiledSite, Format, RenderFunction, Scope } from '../site.ts'
import { Safe } from '../values/text.ts'
import type { Entry } from './entries.ts'

export type Data = Readonly<Record<string, unknown>>

/** The limits of a render, as a host passes them. */
export type GivenLimits = { readonly [Name in keyof Limits]?: Limits[Name] | undefined }

/** The parts that all renders of a site share. */
export interface Host {
  readonly site: CompiledSite
  readonly services: Services
  /** The format of entries that are not pages. */
  readonly format: Format
  readonly limits: Limits
  /** Whether errors of templates are thrown instead of printed. */
  readonly raise: boolean
}

export class EntryRender {
  /** The state of this render. */
  readonly r: Render
  readonly #site: CompiledSite
  readonly #services: Services
  readonly #data: Data
  readonly #entry: Entry
  readonly #layout: { readonly render: RenderFunction } | null

  constructor({ site, services, format, limits, raise }: Host, entry: Entry, data: Data) {
    forgetViews()
    const { page } = entry
    this.#site = site
    this.#services = services
    this.#data = data
    this.#entry = entry
    this.#layout = page?.layout == null ? null : (site.layouts[page.layout] ?? null)
    this.r = new Render(site, services, {
      context: withLanguage(fields(data['context'])),
      format: page?.format ?? format,
      limits,
      ...(site.dialect === 'liquid' ? { data } : {}),
      raise,
      ...(entry.file !== null && { file: entry.file }),
    })
  }

  async text(): Promise<string> {
    try {
      return this.#checkLength(await this.#inLayout(await this.#entry.render(this.r, this.#data)))
    } catch (error) {
      return this.#printOrThrow(error)
    }
  }

  /**
   * Returns the text synchronously.
   * @param name the name of the template in the error message
   * @throws Error when the template has to wait, for example for a query
   */
  textSync(name: string): string {
    try {
      return this.#checkLength(this.#renderSync(name))
    } catch (error) {
      return this.#printOrThrow(error)
    }
  }

  /** Writes the text as UTF-8 and returns the number of bytes. @throws RangeError when it does not fit */
  into(buffer: Uint8Array, name: string): number {
    const { bytes } = this.#entry
    // Layouts and limits need the whole text first.
    if (this.#layout !== null || bytes === undefined || this.r.limited) return writeText(buffer, this.textSync(name), 0)
    try {
      return bytes(this.r, this.#data, buffer, 0)
    } catch (error) {
      return this.#throw(error)
    }
  }

  #renderSync(name: string): string {
    const page = requireText(this.#entry.render(this.r, this.#data), name)
    return requireText(this.#inLayout(page), name)
  }

  #inLayout(page: string): string | Promise<string> {
    const data = this.#layout === null ? null : { ...this.#data, content_for_layout: new Safe(page) }
    return this.#layout === null || data === null ? page : this.#layout.render(this.r, data)
  }

  #checkLength(text: string): string {
    this.r.wrote(text.length)
    const { renderLength } = this.r.limits
    if (renderLength !== undefined && byteLength(text) > renderLength) throw limitsExceeded()
    return text
  }

  /** In base Liquid, which prints errors in place, an exceeded limit of the host replaces the whole output. Other errors are thrown. */
  #printOrThrow(error: unknown): string {
    const isLimit = error instanceof LimitFault && error.limit === 'score'
    if (!isLimit || this.r.raise || this.#site.dialect === 'platform') return this.#throw(error)
    return `Liquid error: ${error.message}`
  }

  /** Throws the error with its location in a template. Errors of the runtime's own code are thrown unchanged. */
  #throw(error: unknown): never {
    const fault = asFault(error)
    if (fault.cause !== undefined && !(fault instanceof LimitFault)) throw fault.cause
    this.#services.locate(fault)
    throw this.#site.dialect === 'liquid' ? withReferenceMessage(fault, this.#entry.file) : fault
  }
}

/** Sets the message of a thrown error to the text that the reference prints for it. */
export function withReferenceMessage(fault: LiquidFault, rendered: string | null): LiquidFault {
  fault.message = referenceText(fault, rendered)
  return fault
}

/** Returns the limits of a render. Missing and undefined limits get their default values. */
export function withDefaultLimits(limits: GivenLimits = {}): Limits {
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)) }
}

function requireText(result: string | Promise<string>, name: string): string {
  if (typeof result !== 'string') {
    // The abandoned render may fail later. Its error is ignored, because the error below already explains the cause.
    result.catch(() => {})
    throw new Error(`\`${name}\` suspends: render it with \`render\`, which is asynchronous`)
  }
  return result
}

function withLanguage(context: Fields): Scope {
  return Object.hasOwn(context, 'language') && Object.hasOwn(context, 'exports')
    ? context
    : { language: 'en', exports: {}, ...context }
}
