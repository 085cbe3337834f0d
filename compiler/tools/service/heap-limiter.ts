/** Limits the memory of a process that runs for weeks and is mostly idle. */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { keysOf } from '../../core/source/records.ts'

/** Milliseconds after the start during which the heap may grow faster, because a site is loaded, whose memory stays in use. */
const STARTUP = 5_000
/** Heap growth allowed during startup, in percent. */
const GROWTH_AT_START = 40

/**
 * Maximum size of the heap's young generation, in bytes. By default V8 makes it four times as large during a load and never shrinks it. A
 * larger one does not make edits faster.
 */
const MAX_YOUNG_SIZE = 8e6
/** Milliseconds between two checks of the young generation during a load. */
const CHECK_INTERVAL = 20

/** Milliseconds without a request after which the process counts as idle. */
const IDLE = 3_000
/** Maximum fraction of CPU time that an idle process may use. */
const MAX_BUSY = 0.2
/** Milliseconds between two collections, so that requests are answered in between. */
const PAUSE = 100
/** Maximum number of collections in a row. Each compacts some pages, and later ones gain little. */
const MAX_COLLECTIONS = 5
/** Minimum relative change of the heap size that makes another collection worthwhile. */
const MIN_CHANGE = 0.05

/**
 * Limits the heap in three ways. A full collection runs whenever the heap grows by a fixed fraction (V8 lets it grow to several times its
 * live size). The young generation is bounded. Memory is returned to the system when the process is idle.
 */
export class HeapLimiter {
  #rest: NodeJS.Timeout | undefined
  #used = performance.eventLoopUtilization()
  #collecting = false
  /** Counts requests, to detect new ones. */
  #requests = 0
  /** Heap size in bytes after the last cleanup. */
  #tidied = 0

  /** @param percent growth of the heap before a collection. A smaller value saves memory and causes more pauses of a few milliseconds. */
  constructor(percent: number) {
    setGrowth(GROWTH_AT_START)
    const timer = setInterval(limitYoungGeneration, CHECK_INTERVAL).unref()
    setTimeout(() => {
      clearInterval(timer)
      setGrowth(percent)
    }, STARTUP).unref()
    this.noteRequest()
  }

  /** Call this for each request to the process. */
  noteRequest(): void {
    this.#requests++
    limitYoungGeneration()
    if (!this.#collecting) this.#restart()
  }

  #restart(): void {
    clearTimeout(this.#rest)
    this.#used = performance.eventLoopUtilization()
    this.#rest = setTimeout(() => void this.#startIdle(), IDLE).unref()
  }

  async #startIdle(): Promise<void> {
    if (performance.eventLoopUtilization(this.#used).utilization > MAX_BUSY) this.#restart()
    else if (heapSize() > this.#tidied * (1 + MIN_CHANGE)) await this.#collectWhileIdle()
  }

  /** Collects garbage and compacts the heap in steps, until the next request. */
  async #collectWhileIdle(): Promise<void> {
    const requestCount = this.#requests
    this.#collecting = true
    // While this flag is set, a collection compacts pages and shrinks the young generation.
    setFlag('compaction', '--optimize-for-size')
    let size = heapSize()
    for (let times = 0; times < MAX_COLLECTIONS && this.#requests === requestCount; times++) {
      collect()
      await sleep(PAUSE, undefined, { ref: false })
      const before = size
      size = heapSize()
      if (times > 0 && size > before * (1 - MIN_CHANGE)) break
    }
    setFlag('compaction', DEFAULTS.compaction)
    this.#collecting = false
    if (this.#requests === requestCount) this.#tidied = size
    else this.#restart()
  }
}

function heapSize(): number {
  return getHeapStatistics().total_heap_size
}

function setGrowth(percent: number): void {
  setFlag('growth', `--heap-growing-percent=${percent}`)
}

function limitYoungGeneration(): void {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
  setFlag('young', young >= MAX_YOUNG_SIZE ? '--semi-space-growth-factor=1' : DEFAULTS.young)
}

/** V8 flags that are changed here, with their default values. */
const DEFAULTS = {
  growth: '--heap-growing-percent=0',
  young: '--semi-space-growth-factor=2',
  // `--optimize-for-size` also sets the second flag, and V8 does not restore it.
  compaction: '--no-optimize-for-size --max-semi-space-size=0',
}
type Flag = keyof typeof DEFAULTS
const FLAGS = keysOf(DEFAULTS)

const currentFlags: Record<Flag, string> = { ...DEFAULTS }

function setFlag(flag: Flag, text: string): void {
  if (currentFlags[flag] === text) return
  currentFlags[flag] = text
  setFlagsFromString(text)
}

/** The code cache for the next process needs the flags that the process will start with. */
Object.defineProperty(globalThis, Symbol.for('ingot.startFlags'), {
  configurable: true,
  value: () => {
    const set = { ...currentFlags }
    for (const flag of FLAGS) setFlag(flag, DEFAULTS[flag])
    return () => {
      for (const flag of FLAGS) setFlag(flag, set[flag])
    }
  },
})

let collector: (() => void) | undefined

/** Runs a full garbage collection. V8 exposes it only to processes started with `--expose-gc`. */
function collect(): void {
  if (collector === undefined) {
    setFlagsFromString('--expose-gc')
    collector = runInNewContext('gc')
    setFlagsFromString('--no-expose-gc')
  }
  collector?.()
}
