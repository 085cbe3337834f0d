/**
 * The state of one render, which a request or job changes while its templates run. It is discarded with the request.
 */
import { LimitFault, LiquidFault, referenceText, UnavailableFault, Unwind } from './fault.ts'
import type { Services } from './services.ts'
import type { CompiledSite as Site, Format, CallableUnit as Unit, Scope } from './compiled.ts'
import { normalizeName, indexByNormalizedName } from './partial-names.ts'
import { completeContext, type RequestContext, requireRequestContext } from './request-context.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { limitsExceeded, measureSize } from './value-size.ts'
import { deepCopy } from './values/copy.ts'
import { esc, escAttribute, plain, str, xml } from './values/text.ts'
import { chargeText, setMeter } from './values/meter.ts'

/** The changes that a page makes to the response. The host applies it when the page has finished. */
export interface ResponseState {
  status: number
  headers: Record<string, string>
  redirect: { target: string; status: number } | null
}

export interface RenderOptions {
  readonly context: Scope
  readonly format?: Format
  readonly limits?: Limits
  /** In base Liquid: variables that every template can read, also inside `render`, if it has no variable of that name itself. */
  readonly data?: Scope
  /** Whether errors end the render. It overrides the setting of the site. */
  readonly raise?: boolean
  /** The rendered file. The error messages of base Liquid name a file only when it is another one. */
  readonly file?: string
  /** Whether the render runs in a background job, which has no visitor. */
  readonly inJob?: boolean
  /** Is notified when templates begin and end. */
  readonly watch?: TemplateWatch | null
}

/** Measures the time of templates that can wait for a port. */
export interface TemplateWatch {
  /** Called when a template begins. Returns a token for this run of the template. */
  begin(file: string): object
  /** Called when a template ends, with the token of `begin`. Runs that began later and have not ended were left by an error. */
  end(begun: object): void
  /**
   * Called around a template that a host in development watches from outside, also one that waits for nothing. Its `begin`, if any, follows
   * immediately. Returns a function to call at the end, with the printed text or another result. Absent when no one needs it.
   */
  around?(file: string): (result: unknown) => void
  /** Called when a template has caught an error. The runs that the template called have ended. */
  leaveFailed(file: string): void
}

const NO_DATA: Scope = Object.freeze({})

/** The numbers of steps between two calls of `tick`. The number is small at first and after slow steps, and then doubles each time. */
const FIRST_STRIDE = 64
const SLOW_STRIDE = 16
const LONGEST_STRIDE = 1_024
/** Maximum milliseconds between two calls of `tick`. When they are exceeded, the next stride is short. */
const SLOW = 5

/** The output function of a format. It escapes values for HTML or XML, or prints them unchanged. */
export type Escape = (value: unknown) => string

export class Render {
  readonly site: Site<Render>
  readonly services: Services
  /** The value of `context`. The host may compute some parts only when they are read. */
  readonly context: Scope
  readonly format: Format
  /** The output function of the page's format. Units that only one format uses import their function directly. */
  readonly escape: Escape
  /** The output function for values inside an HTML attribute. */
  readonly escapeAttribute: Escape
  readonly response: ResponseState = { status: 200, headers: {}, redirect: null }
  /** The texts of `content_for`, which `yield` prints. */
  readonly blocks = new Map<string, string>()
  /** The faults that were printed in place, and the faults of queries whose results contain `errors`. */
  readonly faults: LiquidFault[] = []
  /** The number of faults. Repeated faults count each time. */
  faultCount = 0
  /**
   * The number of steps to the next `tick`, as a negative number. Emitted code and `values/meter.ts` increase it. Emitted code calls `tick`
   * when it reaches 0.
   */
  pace = -FIRST_STRIDE
  /** The number of open calls of recursive partials. */
  depth = 0
  /** The number of open calls of `render` in base Liquid. Inside them, `include` is refused. */
  isolation = 0
  /** The number of open `try` blocks. Inside a block, an error is thrown even when errors are printed in place. */
  trying = 0
  readonly limits: Limits
  /** Variables that every template of base Liquid can read, if it has no variable of that name itself. */
  readonly data: Scope
  readonly raise: boolean
  /** The rendered file; null when it is unknown. */
  readonly file: string | null
  readonly #begun = performance.now()
  #request: RequestContext | null = null
  #deadline: number
  /** The time of the last `tick`. */
  #ticked = this.#begun
  /** The number of steps between the last `tick` and the next. */
  #stride = FIRST_STRIDE
  /** The value of `steps` when `pace` will be 0. */
  #paced = FIRST_STRIDE
  readonly #inJob: boolean
  readonly #watch: TemplateWatch | null
  #rendered = 0
  #assigned = 0
  /** The partials of base Liquid by normalized name. They are collected on first use. */
  #folded: ReadonlyMap<string, Unit<Render>> | null = null
  /** The copies of shared values, by original. */
  #copies: WeakMap<object, unknown> | null = null

  constructor(site: Site<Render>, services: Services, options: RenderOptions) {
    this.site = site
    this.services = services
    this.context = options.context
    this.format = options.format ?? 'html'
    const escape = escapeOf(this.format)
    const { clean } = site.options
    this.escape = escape === esc && clean !== undefined ? clean.text : escape
    this.escapeAttribute = escape !== esc ? escape : clean === undefined ? escAttribute : clean.attribute
    this.limits = options.limits ?? DEFAULT_LIMITS
    this.data = options.data ?? NO_DATA
    this.raise = options.raise ?? site.options.raise
    this.file = options.file ?? null
    this.#inJob = options.inJob ?? false
    this.#watch = options.watch ?? null
    this.#deadline = this.#begun + this.limits.time
    setMeter(this)
  }

  /**
   * Returns `context` with typed parts, which are read by name.
   * @throws TypeError when the host passed parts of other types
   */
  get request(): RequestContext {
    return (this.#request ??= requireRequestContext(this.context))
  }

  /** Returns `context` as a separate value. It is a plain hash, in which secret fields are not enumerable. */
  get whole(): Scope {
    return completeContext(this.context)
  }

  /**
   * Does the same as `whole`, with typed parts.
   * @throws TypeError when the host passed parts of other types
   */
  get wholeRequest(): RequestContext {
    completeContext(this.context)
    return this.request
  }

  /** Returns the number of steps so far: loop iterations, calls, and steps that were charged for texts. */
  get steps(): number {
    return this.#paced + this.pace
  }

  /** Schedules the next `tick` after this number of steps. */
  #scheduleTick(steps: number): void {
    this.#paced = this.steps + steps
    this.pace = -steps
  }

  /**
   * Checks the limits.
   * @param printed the length of the text that is being written
   * @throws LimitFault
   */
  tick(printed: number): void {
    setMeter(this)
    if (this.steps > this.limits.steps)
      throw new LimitFault(`more than ${this.limits.steps} steps of loops, calls and text`, 'steps')
    this.#checkOutput(printed)
    const now = performance.now()
    if (now > this.#deadline && this.#isLate()) throw new LimitFault(`more than ${this.limits.time} ms`, 'time')
    this.limits.memory?.()
    // Work that no filter counts, such as a comparison, also makes iterations slow. The next check must then come before 1,024 iterations.
    this.#stride = now - this.#ticked > SLOW ? SLOW_STRIDE : Math.min(2 * this.#stride, LONGEST_STRIDE)
    this.#ticked = now
    this.#scheduleTick(this.#stride)
  }

  /** Returns the milliseconds that are left of the time limit. */
  get timeLeft(): number {
    return this.#begun + this.limits.time - performance.now()
  }

  /** Continues after a wait. Other renders may have run meanwhile. */
  resume(): void {
    setMeter(this)
    this.#scheduleTick(0)
  }

  /**
   * Counts a text that was captured or printed. The text has not been read yet, so a quarter of its length is counted.
   * @param length the length in UTF-16 units
   * @throws LimitFault when the text is too long
   */
  wrote(length: number): void {
    chargeText(length / 4)
    this.#checkOutput(length)
  }

  #checkOutput(length: number): void {
    if (length > this.limits.output)
      throw new LimitFault(`more than ${this.limits.output} characters printed`, 'output')
  }

  /** Returns whether the host limits the output length, rendered nodes or assigned values. */
  get limited(): boolean {
    const { renderLength, renderScore, assignScore } = this.limits
    return renderLength !== undefined || renderScore !== undefined || assignScore !== undefined
  }

  /**
   * Counts nodes that are about to be rendered.
   * @throws LimitFault when they are too many
   */
  score(nodes: number): void {
    this.#rendered += nodes
    if (this.#rendered > (this.limits.renderScore ?? Infinity)) throw limitsExceeded()
  }

  /**
   * Adds the size of a value that is about to be assigned, and returns the value.
   * @throws LimitFault when the total is too large
   */
  assigned<Value>(value: Value): Value {
    this.#assigned += measureSize(value)
    if (this.#assigned > (this.limits.assignScore ?? Infinity)) throw limitsExceeded()
    return value
  }

  /** Extends the deadline by the time in which the thread waited for a processor. */
  #isLate(): boolean {
    const { time, cpuWait } = this.limits
    if (cpuWait === undefined) return true
    this.#deadline = this.#begun + time + cpuWait()
    return performance.now() > this.#deadline
  }

  /**
   * Enters a recursive partial.
   * @throws LimitFault when calls are nested too deep
   */
  enter(): void {
    if (++this.pace >= 0) this.tick(0)
    if (++this.depth <= this.limits.depth) return
    this.depth--
    // The reference prints this error in place of the call, and continues.
    throw this.site.dialect === 'liquid'
      ? new LiquidFault('Nesting too deep')
      : new LimitFault('Nesting too deep', 'depth')
  }

  leave(): void {
    this.depth--
  }

  /** Reports the begin of a template that can wait for a port. Returns null when no watch is set. */
  begin(file: string): object | null {
    return this.#watch === null ? null : this.#watch.begin(file)
  }

  /** Reports a template that a host watches from outside; see `TemplateWatch.around`. */
  around(file: string): ((result: unknown) => void) | null {
    return this.#watch?.around?.(file) ?? null
  }

  /**
   * Reports the end of a template.
   * @param begun the result of `begin`
   */
  end(begun: object | null): void {
    if (begun !== null) this.#watch?.end(begun)
  }

  /**
   * Handles an error at a location. Returns the text to print there. Rethrows the error in raise mode, in a `try` block, and when it is a
   * limit.
   */
  fault(error: unknown, file: string, line: number): string {
    if (error instanceof Unwind) throw error
    const fault = asFault(error)
    if (fault.file === null) {
      // In raise mode, the location comes from the stack, because the error may come from a file that this file called.
      if (this.raise) this.services.locate(fault)
      fault.file ??= file
      fault.line ??= line
    }
    if (this.raise || this.trying > 0 || fault instanceof LimitFault) throw fault
    this.#watch?.leaveFailed(file)
    this.note(fault, file, line)
    // The message is escaped, because it may contain values. The reference does not escape it, and base Liquid follows the reference.
    return this.site.dialect === 'liquid' ? referenceText(fault, this.file) : this.escape(fault.located)
  }

  /** Records a fault after which the template continues. The fault is logged once in a render, and the output is not cached. */
  note(fault: LiquidFault, file: string, line: number): void {
    this.faultCount++
    if (this.faults.some((known) => known.located === fault.located)) return
    this.faults.push(fault)
    this.services.log.write({ message: fault.located, type: fault.name, env: 'all', file, line, fault })
  }

  /**
   * Returns the error that `catch` binds. The JavaScript stack gives its location, which is otherwise that of the `try` tag.
   * @throws LimitFault, because limits are not caught
   */
  caught(error: unknown, file: string, line: number): LiquidFault {
    if (error instanceof Unwind) throw error
    const fault = asFault(error)
    if (fault instanceof LimitFault) throw fault
    this.#watch?.leaveFailed(file)
    if (fault.file === null) {
      this.services.locate(fault)
      fault.file ??= file
      fault.line ??= line
    }
    return fault
  }

  /**
   * Returns the render's own copy of a shared value. It is created on first use. Templates may modify it without affecting later requests.
   */
  copyOf(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    this.#copies ??= new WeakMap()
    let copy = this.#copies.get(value)
    if (copy === undefined) this.#copies.set(value, (copy = deepCopy(value)))
    return copy
  }

  /** Returns the site's theme search paths in order. */
  async themePaths(): Promise<readonly string[]> {
    const paths: string[] = []
    for (const setting of this.site.options.themeSearchPaths) {
      if (setting.kind === 'plain') paths.push(str(setting.value))
      else if (setting.kind === 'liquid') paths.push((await setting.render(this, {})).trim())
    }
    return paths
  }

  /**
   * Returns a port that `tag` requires.
   * @throws UnavailableFault when the host does not offer the port
   */
  port<Name extends keyof Services>(name: Name, tag: string): NonNullable<Services[Name]> {
    // The render may wait for the port while others run, so the next step must restart the meter.
    this.#scheduleTick(0)
    const port = this.services[name]
    if (port === null || port === undefined) {
      if (this.#inJob && name === 'sessions')
        throw new UnavailableFault(`the tag '${tag}' is not available in a background job`)
      throw new UnavailableFault(`this host does not offer the tag '${tag}'`)
    }
    return port
  }

  /**
   * Returns the unit with a computed name.
   * @throws LiquidFault when there is no such unit
   */
  unit(name: string): Unit<Render> {
    const { partials, dialect } = this.site
    const unit = Object.hasOwn(partials, name) ? partials[name] : undefined
    if (unit !== undefined) return unit
    if (dialect === 'platform') throw new LiquidFault(`can't find partial ${name}`)
    this.#folded ??= indexByNormalizedName(Object.entries(partials))
    const foundUnit = this.#folded.get(normalizeName(name))
    if (foundUnit === undefined) throw new LiquidFault(`Could not find asset ${name}`)
    return foundUnit
  }
}

/** Returns the output function of a format. */
export function escapeOf(format: Format): Escape {
  if (format === 'html' || format === 'pdf') return esc
  return format === 'xml' || format === 'rss' || format === 'svg' ? xml : plain
}

/** Converts any thrown value to a fault. An error of JavaScript becomes the cause of the fault. */
export function asFault(error: unknown): LiquidFault {
  if (error instanceof LiquidFault) return error
  if (error instanceof RangeError && /string length|call stack|array length/i.test(error.message)) {
    const limit = /call stack/i.test(error.message)
      ? new LimitFault('Nesting too deep', 'depth')
      : new LimitFault('a text is too large for memory', 'output')
    limit.cause = error
    return limit
  }
  const fault = new LiquidFault('internal error')
  fault.cause = error
  return fault
}
