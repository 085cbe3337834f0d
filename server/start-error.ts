/** Why a command cannot start: one sentence that says what is wrong and how to mend it. The program ends with code 2. */

export class StartError extends Error {
  override readonly name = 'StartError'
}
