/** The error that `catch` binds: a hash that prints as its message. */
import { HASH_CLASS } from './boxed.ts'

export class CaughtError {
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

Object.defineProperty(CaughtError.prototype, HASH_CLASS, { value: true })
