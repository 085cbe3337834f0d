/** The error that `catch` binds: a hash that prints as its message. */
import { HASH_CLASS } from './boxed.ts'

export class Caught {
  /** The message with its location: `Liquid error (path:line): …`. */
  readonly message: string
  readonly name: string
  readonly class: string

  constructor(message: string, name: string) {
    this.message = message
    this.name = name
    this.class = name
  }
}

Object.defineProperty(Caught.prototype, HASH_CLASS, { value: true })
