/**
 * A queue that runs a few tasks at once. Waiting tasks are taken from each network in turn, so that one network cannot
 * delay the others.
 */
import { Crowded } from '../site/session.ts'

/** Seconds after which a refused client should try again. */
const RETRY_AFTER = 5
/** The share of the queue that one network may fill. */
const NETWORK_SHARE = 1 / 4

export class FairQueue {
  readonly #slots: number
  #maxWaiting: number
  #running = 0
  /** Total number of waiting tasks from networks. */
  #waiting = 0
  /** The waiting tasks of each network, in order. Tasks without a visitor have the key ''. */
  readonly #waitingByNetwork = new Map<string, (() => void)[]>()

  /**
   * @param slots maximum number of tasks that run at once
   * @param maxWaiting maximum number of waiting tasks from networks; tasks without a visitor have a separate limit of
   * the same size
   */
  constructor(slots: number, maxWaiting: number) {
    this.#slots = slots
    this.#maxWaiting = maxWaiting
  }

  set maxWaiting(count: number) {
    this.#maxWaiting = count
  }

  /**
   * Checks whether a task would be accepted now.
   * @param network null for API clients, jobs and imports
   * @throws Crowded when the queue is full
   */
  check(network: string | null): void {
    if (this.#running < this.#slots) return
    const waitingOfNetwork = this.#waitingByNetwork.get(network ?? '')?.length ?? 0
    const isFull =
      network === null
        ? waitingOfNetwork >= this.#maxWaiting
        : this.#waiting >= this.#maxWaiting || waitingOfNetwork >= Math.ceil(this.#maxWaiting * NETWORK_SHARE)
    if (isFull) throw new Crowded(RETRY_AFTER)
  }

  /**
   * Runs a task when a slot is free.
   * @throws Crowded when too many tasks wait
   */
  async run<T>(network: string | null, task: () => Promise<T>): Promise<T> {
    this.check(network)
    if (this.#running >= this.#slots) await this.#waitForSlot(network)
    else this.#running++
    try {
      return await task()
    } finally {
      // Passes the slot to the next task, or frees it.
      if (this.#waitingByNetwork.size === 0) this.#running--
      else this.#startNext()
    }
  }

  #waitForSlot(network: string | null): Promise<void> {
    if (network !== null) this.#waiting++
    return new Promise((start) => {
      const tasks = this.#waitingByNetwork.get(network ?? '')
      if (tasks === undefined) this.#waitingByNetwork.set(network ?? '', [start])
      else tasks.push(start)
    })
  }

  #startNext(): void {
    for (const [network, tasks] of this.#waitingByNetwork) {
      const start = tasks.shift()
      this.#waitingByNetwork.delete(network)
      if (tasks.length > 0) this.#waitingByNetwork.set(network, tasks)
      if (network !== '') this.#waiting--
      start?.()
      return
    }
  }
}
