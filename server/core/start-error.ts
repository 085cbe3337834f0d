/** A command cannot start: one sentence says what is wrong and how to fix it. The program exits with code 2. */

export class StartError extends Error {
  override readonly name = 'StartError'
}
