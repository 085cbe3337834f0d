/** Runs asynchronous calls one after another. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs `body` after all earlier calls have ended. @throws what `body` throws */
  run<T>(body: () => PromiseLike<T> | T): Promise<T> {
    const result = this.#last.then(() => body())
    // The caller receives the failure. The next call only waits for the end.
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Resolves when all calls so far have ended. */
  async ended(): Promise<void> {
    await this.#last
  }
}
