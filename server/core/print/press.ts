/**
 * Prints documents, a few at once. Each browser prints one document at a time, so that a document that exceeds a limit can be stopped by
 * killing its browser, which affects no other document. One browser stays warm. Others start while documents wait, and end soon afterwards.
 */
import { type Chromium, type ChromiumOptions, startChromium } from './chromium.ts'
import { printDocument } from './document.ts'
import { usedMemory } from './memory.ts'
import { type AnswerResource, type PrintedDocument, PrintFailure } from './model.ts'

export interface PressOptions extends ChromiumOptions {
  /** Milliseconds that a document may take. */
  readonly time: number
  /** Number of documents that are printed at once. */
  readonly atOnce: number
}

interface Waiting {
  readonly start: (seat: Seat) => void
}

/** Documents that may wait for each browser. */
const WAITING_FOR_EACH = 8
/** Milliseconds after which an unused browser ends while another one is running. */
const SPARE_TIME = 20_000
/** Milliseconds between two checks of the memory, and between two checks which processes belong to a browser. */
const MEMORY_INTERVAL = 50
const PROCESSES_INTERVAL = 250

/** A browser that runs or may be started. */
interface Seat {
  chromium: Chromium | null
  isBusy: boolean
  /** Rises with each use, so that a browser that starts too late does not belong to the next document. */
  use: number
  lastUsed: number
}

export class Press {
  readonly #options: PressOptions
  readonly #seats: readonly Seat[]
  readonly #waiting: Waiting[] = []
  readonly #timer: NodeJS.Timeout
  #isClosed = false

  constructor(options: PressOptions) {
    this.#options = options
    this.#seats = Array.from({ length: options.atOnce }, () => ({ chromium: null, isBusy: false, use: 0, lastUsed: 0 }))
    this.#timer = setInterval(() => this.#closeSpares(), SPARE_TIME / 4)
  }

  /** Whether a document is being printed or waits. */
  get isBusy(): boolean {
    return this.#waiting.length > 0 || this.#seats.some(({ isBusy }) => isBusy)
  }

  /**
   * Prints a document.
   * @param signal stops the document when its client has left
   * @throws PrintFailure
   */
  async print(document: PrintedDocument, answer: AnswerResource, signal: AbortSignal): Promise<Buffer> {
    const deadline = performance.now() + document.time
    const seat = this.#freeSeat() ?? (await this.#turn(deadline))
    try {
      signal.throwIfAborted()
      const time = Math.min(this.#options.time, deadline - performance.now())
      if (time <= 0) throw new PrintFailure('The document waited too long to be printed.', 'time')
      return await this.#printOn(seat, { ...document, time }, answer, signal)
    } finally {
      seat.use++
      seat.lastUsed = performance.now()
      const next = this.#waiting.shift()
      // The seat stays busy, so that no later document takes it before.
      if (next === undefined) seat.isBusy = false
      else next.start(seat)
    }
  }

  /** Kills the browsers. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.all(this.#seats.map((seat) => this.#end(seat)))
  }

  /** Takes a free seat, if possible one whose browser runs; returns null when all are busy. */
  #freeSeat(): Seat | null {
    const free = this.#seats.filter(({ isBusy }) => !isBusy)
    const seat = free.find(({ chromium }) => chromium?.isRunning() === true) ?? free[0] ?? null
    if (seat !== null) seat.isBusy = true
    return seat
  }

  /** Waits in the queue until a seat becomes free. @throws PrintFailure */
  #turn(deadline: number): Promise<Seat> {
    if (this.#waiting.length >= this.#seats.length * WAITING_FOR_EACH)
      throw new PrintFailure('Too many documents wait to be printed: try again later.', 'busy')
    return new Promise<Seat>((resolve, reject) => {
      const waiting: Waiting = {
        start: (seat) => {
          clearTimeout(timer)
          resolve(seat)
        },
      }
      const timer = setTimeout(
        () => {
          this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
          reject(
            new PrintFailure('Other documents took too long, so this one was not printed: try again later.', 'busy'),
          )
        },
        Math.max(0, deadline - performance.now()),
      )
      this.#waiting.push(waiting)
    })
  }

  async #printOn(seat: Seat, document: PrintedDocument, answer: AnswerResource, signal: AbortSignal): Promise<Buffer> {
    let stop: (failure: unknown) => void = () => undefined
    const stopped = new Promise<never>((_done, reject) => {
      stop = reject
    })
    // The race below throws the failure. Without this line, a failure before the race would end the process.
    stopped.catch(() => undefined)
    const seconds = Math.round(document.time / 100) / 10
    const timer = setTimeout(
      () => stop(new PrintFailure(`The document was not printed within ${seconds} s.`, 'time')),
      document.time,
    )
    const onAbort = (): void => stop(signal.reason)
    signal.addEventListener('abort', onAbort)
    let watch: MemoryWatch | null = null
    try {
      const chromium = await Promise.race([stopped, this.#chromium(seat)])
      watch = watchMemory(chromium, this.#options.memory, stop)
      return await Promise.race([stopped, printDocument(chromium, document, answer)])
    } catch (error) {
      // What the document left behind ends with its browser.
      await this.#end(seat)
      throw error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      watch?.end()
      // A browser that has grown would count against the next document.
      if (watch !== null && watch.most() > this.#options.memory / 2) await this.#end(seat)
    }
  }

  async #chromium(seat: Seat): Promise<Chromium> {
    if (seat.chromium?.isRunning() === true) return seat.chromium
    const { use } = seat
    await this.#end(seat)
    const chromium = await startChromium(this.#options)
    // The document may have been stopped meanwhile.
    if (this.#isClosed || seat.use !== use) {
      await chromium.kill()
      throw new PrintFailure('The process that prints is ending.', 'broken')
    }
    seat.chromium = chromium
    return chromium
  }

  async #end(seat: Seat): Promise<void> {
    const { chromium } = seat
    seat.chromium = null
    await chromium?.kill()
  }

  #closeSpares(): void {
    const now = performance.now()
    const idle = this.#seats.filter(({ chromium, isBusy }) => chromium !== null && !isBusy)
    for (const seat of idle.slice(1)) if (now - seat.lastUsed > SPARE_TIME) void this.#end(seat)
  }
}

interface MemoryWatch {
  end(): void
  /** Returns the most megabytes that were in use. */
  most(): number
}

/**
 * Watches the memory of a browser.
 * @param limit megabytes
 * @param stop called when the limit is exceeded
 */
function watchMemory(chromium: Chromium, limit: number, stop: (failure: PrintFailure) => void): MemoryWatch {
  let pids: readonly number[] = []
  let listedAt = Number.NEGATIVE_INFINITY
  let most = 0
  let isOver = false
  const check = async (): Promise<void> => {
    const now = performance.now()
    if (now - listedAt > PROCESSES_INTERVAL) {
      listedAt = now
      chromium.connection.browser.send('SystemInfo.getProcessInfo').then(
        ({ processInfo }) => {
          pids = processInfo.map(({ id }) => id)
        },
        () => undefined,
      )
    }
    const used = await usedMemory(pids)
    most = Math.max(most, used)
    if (used > limit) stop(new PrintFailure(`The document needs more than ${limit} MB of memory.`, 'memory'))
    if (!isOver) timer = setTimeout(() => void check(), MEMORY_INTERVAL)
  }
  let timer = setTimeout(() => void check(), 0)
  return {
    end() {
      isOver = true
      clearTimeout(timer)
    },
    most: () => most,
  }
}
