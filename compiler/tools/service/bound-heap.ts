/** What a process holds in memory that goes on for weeks, and mostly waits. */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { keysOf } from '../../core/source/records.ts'

/** Milliseconds in which the heap may grow faster: a site is read, and most of that is kept. */
const SETTLED = 5_000
/** The part of the heap that it may grow by in this time. */
const GROWTH_AT_START = 40

/**
 * Bytes of the part of the heap that new objects lie in. By itself the engine makes it four times as large where much is read at once, and
 * leaves it so; larger, it saves none of the time that an edit takes.
 */
const MOST_YOUNG = 8e6
/** Milliseconds between two looks at it while a site is read. */
const LOOK = 20

/** Milliseconds without a question after which nobody waits. */
const REST = 3_000
/** The part of a rest that the process may be busy. */
const BUSY = 0.2
/** Milliseconds between two collections, in which a question is heard. */
const BETWEEN = 100
/** Each moves together what lies scattered over some pages; more of them find little. */
const MOST_COLLECTIONS = 5
/** The part by which the heap must have grown since, or become smaller, to be worth another one. */
const WORTH = 0.05

/**
 * Bounds the heap: it is looked through whenever it has grown by a part since the last time (by itself the engine lets it grow to several
 * times of what it holds), its young part is bounded, and memory is given back when nobody has asked for a while.
 */
export class BoundHeap {
  #rest: NodeJS.Timeout | undefined
  #used = performance.eventLoopUtilization()
  #collecting = false
  /** Counts what was asked, so that it shows when something was. */
  #asked = 0
  /** Bytes that the heap had after it was tidied. */
  #tidied = 0

  /** @param percent the part that the heap may grow by: a smaller one is less memory, and more often a pause of some milliseconds */
  constructor(percent: number) {
    setGrowth(GROWTH_AT_START)
    const looks = setInterval(boundYoung, LOOK).unref()
    setTimeout(() => {
      clearInterval(looks)
      setGrowth(percent)
    }, SETTLED).unref()
    this.asked()
  }

  /** Something is asked of the process. */
  asked(): void {
    this.#asked++
    boundYoung()
    if (!this.#collecting) this.#restart()
  }

  #restart(): void {
    clearTimeout(this.#rest)
    this.#used = performance.eventLoopUtilization()
    this.#rest = setTimeout(() => void this.#rested(), REST).unref()
  }

  async #rested(): Promise<void> {
    if (performance.eventLoopUtilization(this.#used).utilization > BUSY) this.#restart()
    else if (heapSize() > this.#tidied * (1 + WORTH)) await this.#tidy()
  }

  /** Collects what is not needed and moves together what is, a part at a time, until something is asked. */
  async #tidy(): Promise<void> {
    const asked = this.#asked
    this.#collecting = true
    // For as long as this is set, a collection looks for pages that are not full, and gives back the young part.
    setFlag('compaction', '--optimize-for-size')
    let size = heapSize()
    for (let times = 0; times < MOST_COLLECTIONS && this.#asked === asked; times++) {
      collect()
      await sleep(BETWEEN, undefined, { ref: false })
      const before = size
      size = heapSize()
      if (times > 0 && size > before * (1 - WORTH)) break
    }
    setFlag('compaction', DEFAULTS.compaction)
    this.#collecting = false
    if (this.#asked === asked) this.#tidied = size
    else this.#restart()
  }
}

function heapSize(): number {
  return getHeapStatistics().total_heap_size
}

function setGrowth(percent: number): void {
  setFlag('growth', `--heap-growing-percent=${percent}`)
}

function boundYoung(): void {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
  setFlag('young', young >= MOST_YOUNG ? '--semi-space-growth-factor=1' : DEFAULTS.young)
}

/** Flags of the engine that are set here, as they are where nobody sets them. */
const DEFAULTS = {
  growth: '--heap-growing-percent=0',
  young: '--semi-space-growth-factor=2',
  // The second one is what the engine sets with the first, and leaves so.
  compaction: '--no-optimize-for-size --max-semi-space-size=0',
}
type Flag = keyof typeof DEFAULTS
const FLAGS = keysOf(DEFAULTS)

const now: Record<Flag, string> = { ...DEFAULTS }

function setFlag(flag: Flag, text: string): void {
  if (now[flag] === text) return
  now[flag] = text
  setFlagsFromString(text)
}

/** Who keeps the engine's code for the next process asks for the flags that this one will start with. */
Object.defineProperty(globalThis, Symbol.for('ingot.startFlags'), {
  configurable: true,
  value: () => {
    const set = { ...now }
    for (const flag of FLAGS) setFlag(flag, DEFAULTS[flag])
    return () => {
      for (const flag of FLAGS) setFlag(flag, set[flag])
    }
  },
})

let collector: (() => void) | undefined

/** A full collection, which the engine offers to no program that was not started for it. */
function collect(): void {
  if (collector === undefined) {
    setFlagsFromString('--expose-gc')
    collector = runInNewContext('gc')
    setFlagsFromString('--no-expose-gc')
  }
  collector?.()
}
