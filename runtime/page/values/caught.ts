/** What `catch` binds: a hash of the error that prints as its message. */

export class Caught {
  /** The located text: `Liquid error (path:line): …`. */
  readonly message: string
  readonly name: string
  readonly class: string

  constructor(message: string, name: string) {
    this.message = message
    this.name = name
    this.class = name
  }
}
