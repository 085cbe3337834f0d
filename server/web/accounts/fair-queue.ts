/** Runs tasks, a few at once. Those that wait are taken from each network in turn, however many it sends. */
import { Crowded } from '../site/session.ts'

/** Seconds in which a full queue is worked off. */
const RETRY_AFTER = 5
/** The part of the queue that one network may fill. */
const SHARE = 1 / 4

export class FairQueue {
  readonly #slots: number
  #most: number
  #running = 0
  /** Tasks of all networks that wait. */
  #waiting = 0
  /** The waiting tasks of each network, and under '' those of no visitor; the first one is next. */
  readonly #lines = new Map<string, (() => void)[]>()

  /**
   * @param slots tasks that run at once
   * @param most tasks of networks that may wait, and apart from them as many of no visitor
   */
  constructor(slots: number, most: number) {
    this.#slots = slots
    this.#most = most
  }

  set most(most: number) {
    this.#most = most
  }

  /**
   * Checks whether a task would find a place now.
   * @param network null for the work of programs, jobs and imports
   * @throws Crowded when it would not
   */
  check(network: string | null): void {
    if (this.#running < this.#slots) return
    const own = this.#lines.get(network ?? '')?.length ?? 0
    const isFull =
      network === null ? own >= this.#most : this.#waiting >= this.#most || own >= Math.ceil(this.#most * SHARE)
    if (isFull) throw new Crowded(RETRY_AFTER)
  }

  /**
   * Runs a task when it is its turn.
   * @throws Crowded when too many wait
   */
  async run<T>(network: string | null, task: () => Promise<T>): Promise<T> {
    this.check(network)
    if (this.#running >= this.#slots) await this.#turn(network)
    else this.#running++
    try {
      return await task()
    } finally {
      // The slot goes to the next task, or becomes free.
      if (this.#lines.size === 0) this.#running--
      else this.#next()
    }
  }

  #turn(network: string | null): Promise<void> {
    if (network !== null) this.#waiting++
    return new Promise((go) => {
      const line = this.#lines.get(network ?? '')
      if (line === undefined) this.#lines.set(network ?? '', [go])
      else line.push(go)
    })
  }

  #next(): void {
    for (const [network, line] of this.#lines) {
      const go = line.shift()
      this.#lines.delete(network)
      if (line.length > 0) this.#lines.set(network, line)
      if (network !== '') this.#waiting--
      go?.()
      return
    }
  }
}
