/** Decides which connections are closed with their next answer, so that their clients reconnect to another process. */

/** Milliseconds between two checks whether the process is busy. */
const CHECK_EVERY = 250

export class ConnectionClosing {
  /** Whether the connection closes with the next answer. */
  isDue = false
  /** Number of connections that are still to be closed. */
  #count = 0
  #isStopping = false
  /** Whether one page has just kept the process busy. Then a free process can serve the waiting clients sooner. */
  #isBusy = false
  readonly #timer: NodeJS.Timeout

  constructor() {
    let expected = performance.now() + CHECK_EVERY
    this.#timer = setInterval(() => {
      const now = performance.now()
      this.#isBusy = now - expected > CHECK_EVERY
      expected = now + CHECK_EVERY
      this.#update()
    }, CHECK_EVERY)
    this.#timer.unref()
  }

  /** Whether all connections are closed, because the listener stops. */
  get isStopping(): boolean {
    return this.#isStopping
  }

  /** Closes all connections with their next answers from now on. */
  beginStop(): void {
    this.#isStopping = true
    this.#update()
  }

  /** Closes this many connections with their next answers. */
  closeSome(count: number): void {
    this.#count = count
    this.#update()
  }

  /** Returns whether the connection of an answer is closed, and counts it. Called once for each answer. */
  countAnswer(): boolean {
    if (!this.isDue) return false
    if (this.#count > 0) this.#count--
    this.#update()
    return true
  }

  /** Stops checking whether the process is busy. */
  stopChecking(): void {
    clearInterval(this.#timer)
  }

  #update(): void {
    this.isDue = this.#isStopping || this.#count > 0 || this.#isBusy
  }
}
