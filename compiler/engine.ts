/** The library face: files in a record → an engine that renders in this process. No server, no disk. */
import { oneScope } from './emit/one-scope.ts'
import { compile } from './compile.ts'
import type { Diagnostic } from './diagnostics/diagnostic.ts'
import { print } from './emit/print.ts'
import { placesOf } from './emit/source-map.ts'
import { formatClass } from './settings/format.ts'
import { give, ident, run, string } from './model/code.ts'
import type { Dialect, Syntax } from './model/dialect.ts'
import type { Module } from './model/module.ts'
import { lineStarts, position, type SourceFile, writtenTexts } from './source/file.ts'
import { filesFromTexts, strayPartial } from './source/from-texts.ts'
import * as runtime from '../runtime/index.ts'
import { DEFAULT_LIMITS, type Format, type Limits, LiquidFault, Render, type Services } from '../runtime/index.ts'
import { Float } from '../runtime/page/values/number.ts'

export interface EngineOptions {
  /** Path (`app/views/partials/a.liquid`) or bare name (`a`) → text. */
  readonly files: Readonly<Record<string, string>>
  /** `platform` (default) or `liquid`, which prints as the Ruby reference does. */
  readonly dialect?: Dialect
  /** How base Liquid treats broken markup; `lax` by default. */
  readonly syntax?: Syntax
  /** Format of units that are rendered by name; `html` by default. A page has its own. */
  readonly format?: Format
  /** Whether an error in a template is thrown or printed in its place. */
  readonly errors?: 'raise' | 'inline'
  /** The moment that templates see as now: a date or milliseconds. The clock by default. */
  readonly now?: Date | number
  /** IANA zone of times without one; UTC by default. */
  readonly timeZone?: string
  readonly limits?: Partial<Limits>
  /** What the host offers beside a clock, random numbers and fragments in memory; by default nothing. */
  readonly services?: Partial<Omit<Services, 'locate'>>
}

export interface EngineDiagnostic {
  readonly code: string
  readonly severity: Diagnostic['severity']
  readonly message: string
  readonly hint: string | null
  readonly file: string
  /** 1-based. */
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

export interface Engine {
  readonly diagnostics: readonly EngineDiagnostic[]
  /** Renders a unit by path or name, or what `background` names, with its variables. @throws LiquidError; an error of a unit that has errors */
  render(name: string, data?: Readonly<Record<string, unknown>>): Promise<string>
  /** The same at once. @throws Error where the unit suspends (a cache, a query) */
  renderSync(name: string, data?: Readonly<Record<string, unknown>>): string
  /** Writes the rendered text as UTF-8 from the buffer's beginning and gives the number of bytes. @throws RangeError when it does not fit */
  renderInto(buffer: Uint8Array, name: string, data?: Readonly<Record<string, unknown>>): number
}

export { Float, LiquidFault as LiquidError }

let engines = 0

/** Compiles the files in this process. Never throws for errors of the site: they are in `diagnostics`, and rendering a unit that has any throws them. */
export function createEngine(options: EngineOptions): Engine {
  return new CompiledEngine(options)
}

type Data = Readonly<Record<string, unknown>>

/** A render that can begin: its state, what is rendered, and the layout around it. */
interface StartedRender {
  readonly r: Render
  readonly entry: { readonly render: runtime.RenderFace; readonly bytes?: runtime.BytesFace }
  readonly layout: { readonly render: runtime.RenderFace } | null
}

class CompiledEngine implements Engine {
  readonly diagnostics: readonly EngineDiagnostic[]
  readonly #options: EngineOptions
  readonly #raise: boolean
  readonly #format: NonNullable<EngineOptions['format']>
  readonly #site: runtime.CompiledSite
  readonly #services: ReturnType<typeof memoryServices>
  readonly #limits: runtime.Limits
  /** The first error of each file that has any. */
  readonly #failing: ReadonlyMap<string, EngineDiagnostic>
  readonly #pages: ReadonlyMap<string, runtime.PageEntry>
  /** Partials and layouts by file. */
  readonly #templates: ReadonlyMap<string, { readonly render: runtime.RenderFace | null }>

  constructor(options: EngineOptions) {
    const dialect = options.dialect ?? 'platform'
    this.#options = options
    this.#raise = (options.errors ?? (dialect === 'liquid' ? 'inline' : 'raise')) === 'raise'
    this.#format = options.format ?? 'html'
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits }
    const files =
      dialect === 'platform'
        ? filesFromTexts(options.files, true)
        : Object.entries(options.files).map(([name, text]) => strayPartial(name, text))
    const compiled = compile(files, {
      dialect,
      syntax: options.syntax ?? 'lax',
      raise: this.#raise,
      keepGoing: true,
      openEntries: true,
      format: dialect === 'liquid' ? 'plain' : formatClass(this.#format),
    })
    const texts = writtenTexts(files)
    this.diagnostics = compiled.diagnostics.map((each) => plainDiagnostic(each, texts))
    const errors = this.diagnostics.filter((each) => each.severity === 'error')
    this.#failing = new Map(errors.toReversed().map((each) => [each.file, each]))
    const url = `ingot:engine-${++engines}`
    const evaluated = evaluate(compiled.modules, files, url)
    this.#site = evaluated.site
    this.#services = memoryServices(options, (fault) => placeFault(fault, evaluated.positionIn, url))
    const { pages, partials, layouts } = this.#site
    this.#pages = new Map(pages.map((page) => [page.file, page]))
    this.#templates = new Map(
      [...Object.values(layouts), ...Object.values(partials)].map((template) => [template.file, template]),
    )
  }

  // Functions of their own, so that they can be taken out of the engine.

  readonly render = async (name: string, data: Data = {}): Promise<string> => {
    const started = this.#start(name, data)
    try {
      const page = await started.entry.render(started.r, data)
      return await inLayout(started, data, page)
    } catch (error) {
      return this.#fail(error)
    }
  }

  readonly renderSync = (name: string, data: Data = {}): string => {
    const started = this.#start(name, data)
    try {
      return renderAtOnce(started, data, name)
    } catch (error) {
      return this.#fail(error)
    }
  }

  readonly renderInto = (buffer: Uint8Array, name: string, data: Data = {}): number => {
    const started = this.#start(name, data)
    try {
      const { r, entry, layout } = started
      if (layout === null && entry.bytes !== undefined) return entry.bytes(r, data, buffer, 0)
      return runtime.writeText(buffer, renderAtOnce(started, data, name), 0)
    } catch (error) {
      return this.#fail(error)
    }
  }

  #start(name: string, data: Data): StartedRender {
    const file = Object.hasOwn(this.#options.files, name) ? pathOf(name) : name
    const failed = this.#failing.get(file)
    if (failed !== undefined) throw siteError(failed)
    const page = this.#pages.get(file)
    const entry = page ?? this.#templates.get(file) ?? this.#unitNamed(name)
    if (entry === undefined || entry.render === null) throw new LiquidFault(`there is no unit \`${name}\` to render`)
    const r = new Render(this.#site, this.#services, {
      context: withLanguage((data['context'] ?? {}) as Record<string, unknown>),
      format: page?.format ?? this.#format,
      limits: this.#limits,
      raise: this.#raise,
    })
    const layout =
      page?.layout === null || page?.layout === undefined ? null : (this.#site.layouts[page.layout] ?? null)
    return { r, entry: entry as StartedRender['entry'], layout }
  }

  /** A partial by its logical name, or what `background` names. */
  #unitNamed(name: string): { readonly render: runtime.RenderFace | null } | undefined {
    const { partials, jobs } = this.#site
    if (Object.hasOwn(partials, name)) return partials[name]
    return Object.hasOwn(jobs, name) ? jobs[name] : undefined
  }

  /** Throws the error with its place in a template; one of our own code as it is. */
  #fail(error: unknown): never {
    const fault = runtime.asFault(error)
    if (fault.cause !== undefined && !(fault instanceof runtime.LimitFault)) throw fault.cause
    this.#services.locate(fault)
    throw fault
  }
}

function renderAtOnce(started: StartedRender, data: Data, name: string): string {
  const page = atOnce(started.entry.render(started.r, data), name)
  return atOnce(inLayout(started, data, page), name)
}

function inLayout({ r, layout }: StartedRender, data: Data, page: string): string | Promise<string> {
  return layout === null ? page : layout.render(r, { ...data, content_for_layout: new runtime.Safe(page) })
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

function pathOf(key: string): string {
  return key
}

function plainDiagnostic(diagnostic: Diagnostic, texts: ReadonlyMap<string, string>): EngineDiagnostic {
  const starts = lineStarts(texts.get(diagnostic.span.file) ?? '')
  const from = position(starts, diagnostic.span.start)
  const to = position(starts, diagnostic.span.end)
  return {
    code: diagnostic.code,
    severity: diagnostic.severity,
    message: diagnostic.message,
    hint: diagnostic.hint ?? null,
    file: diagnostic.span.file,
    line: from.line,
    column: from.column,
    endLine: to.line,
    endColumn: to.column,
  }
}

function siteError(diagnostic: EngineDiagnostic): LiquidFault {
  const fault = new LiquidFault(diagnostic.message)
  fault.file = diagnostic.file
  fault.line = diagnostic.line
  return fault
}

interface EvaluatedSite {
  readonly site: runtime.CompiledSite
  /** Emitted line (1-based) → template place. */
  readonly positionIn: (line: number, column: number) => { readonly file: string; readonly line: number } | null
}

/** All modules in one function: their faces have names of their own, so none needs to import another. */
function evaluate(modules: readonly Module[], files: readonly SourceFile[], url: string): EvaluatedSite {
  const statements = [run(string('use strict')), ...oneScope(modules, 'runtime'), give(ident('site'))]
  const { text, marks } = print(statements, 'javascript')
  const make = new Function('runtime', `${text}\n//# sourceURL=${url}`) as (
    namespace: typeof runtime,
  ) => runtime.CompiledSite
  const placeOf = placesOf(files)
  return {
    site: make(runtime),
    positionIn(line) {
      // `new Function` puts two lines in front, and the first has the number 1.
      const mark = marks.findLast((each) => each.line <= line - 3)
      return mark?.span == null ? null : placeOf(mark.span)
    },
  }
}

function placeFault(fault: LiquidFault, positionIn: EvaluatedSite['positionIn'], url: string): void {
  const source = fault.cause instanceof Error ? fault.cause : fault
  const frames: runtime.Frame[] = []
  for (const found of (source.stack ?? '').matchAll(/:(\d+):(\d+)\)?$/gm)) {
    if (!found.input.slice(Math.max(0, found.index - url.length - 1), found.index).includes(url)) continue
    const place = positionIn(Number(found[1]), Number(found[2]))
    if (place !== null) frames.push({ file: place.file, line: place.line })
  }
  const [first] = frames
  if (fault.file === null && first !== undefined) {
    fault.file = first.file
    fault.line = first.line
  }
  if (fault.frames.length === 0) fault.frames = frames
}

function memoryServices(options: EngineOptions, locate: Services['locate']): Services {
  const { now } = options
  const fragments = new Map<string, string>()
  return {
    graphql: null,
    jobs: null,
    forms: null,
    sessions: null,
    accounts: null,
    challenge: null,
    transactions: null,
    cache: {
      async fragment(key, _expire, compute) {
        const known = fragments.get(key)
        if (known !== undefined) return known
        const { text, keep } = await compute()
        if (keep) fragments.set(key, text)
        return text
      },
    },
    assets: { url: (path) => `/assets/${path}` },
    fetch: null,
    clock: { now: () => (now === undefined ? Date.now() : Number(now)), timeZone: options.timeZone ?? 'UTC' },
    random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)), uuid: () => crypto.randomUUID() },
    log: { write() {} },
    locate,
    ...options.services,
  }
}
