/** A hash that is a text as well: wherever text is taken, and beside a text in a comparison, it is its text. */
import { entries, type HashValue, setKey } from './hash.ts'

/** What the text is asked from. No template can name it. */
export const WORDS: unique symbol = Symbol('words')

export class Worded {
  declare readonly [WORDS]: () => string;
  [key: string]: unknown

  /** @param words gives the text of the hash as it is then */
  constructor(fields: HashValue, words: (hash: Worded) => string) {
    for (const [key, value] of entries(fields)) setKey(this, key, value)
    Object.defineProperty(this, WORDS, { value: () => words(this) })
  }
}
