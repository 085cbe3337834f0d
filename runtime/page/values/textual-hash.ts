/** A hash with a text form, which is used wherever text is expected and in comparisons with a text. */
import { HASH_CLASS } from './boxed.ts'
import { entries, type HashValue, setKey } from './hash.ts'

/** The key of the function that returns the text. It is a symbol, because templates cannot name symbols. */
export const TEXT_OF: unique symbol = Symbol('words')

export class TextualHash {
  declare readonly [TEXT_OF]: () => string;
  [key: string]: unknown

  /** @param words returns the text for the current content of the hash */
  constructor(fields: HashValue, words: (hash: TextualHash) => string) {
    for (const [key, value] of entries(fields)) setKey(this, key, value)
    Object.defineProperty(this, TEXT_OF, { value: () => words(this) })
  }
}

Object.defineProperty(TextualHash.prototype, HASH_CLASS, { value: true })
