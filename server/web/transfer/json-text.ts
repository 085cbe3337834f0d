/** Reads JSON text value by value: its structure is scanned as it arrives, and each value is cut out unparsed. */
import { DataError, LARGEST_ROW } from './rows.ts'

const SPACE = /[ \t\r\n]/
/** What ends a number or a word. */
const DELIMITER = /[\s,\]}]/g
const MARKS = /["{}[\]]/g

/** The place of an item of an array. */
export interface JsonItem {
  readonly line: number
  /** From 1. */
  readonly number: number
}

/**
 * The names of an object's members, after its brace was read. The caller reads each value before it requests the next
 * name.
 */
export async function* members(text: JsonText): AsyncGenerator<string> {
  if (await text.skip('}')) return
  do {
    const name = parsed(await text.value())
    if (typeof name !== 'string') throw text.error('a name in double quotes is expected here')
    await text.expect(':', `a colon is expected after "${name}"`)
    yield name
  } while (await text.skip(','))
  await text.expect('}', 'a comma or a closing brace is expected here')
}

/**
 * Reads the rest of an array item by item, after its bracket was read. The caller takes each item (`value`, or part by
 * part) before it requests the next.
 * @param what the items are a part of, for errors
 * @param before the number of items that are counted already
 */
export async function* items(text: JsonText, what: string, before = 0): AsyncGenerator<JsonItem> {
  if (await text.skip(']')) return
  let number = before
  do {
    await text.peek()
    number++
    yield { line: text.line, number }
  } while (await text.skip(','))
  await text.expect(']', `a comma or a closing bracket is expected after row ${number} of ${what}`)
}

/** The parsed JSON; undefined for invalid JSON, which the caller reports with its line. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Why a text is no JSON, as half a sentence. */
export function whyBroken(source: string): string {
  try {
    JSON.parse(source)
  } catch (error) {
    if (error instanceof RangeError) return 'it is nested too deeply'
    if (/^[^"]*'/.test(source)) return "it is no JSON: names and texts stand in double quotes, not in '…'"
    if (error instanceof SyntaxError) return `it is no JSON: ${error.message.replace(/, .*"? is not valid JSON$/s, '')}`
  }
  return 'it is no JSON'
}

/** The incoming text: the part that is not read yet, and the current line. */
export class JsonText {
  /** The line of the next character, from 1. */
  line = 1
  readonly #file: string
  readonly #chunks: AsyncIterator<Uint8Array>
  // Rejects invalid UTF-8.
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #text = ''
  #at = 0
  #done = false

  constructor(file: string, chunks: AsyncIterable<Uint8Array>) {
    this.#file = file
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  error(reason: string): DataError {
    return new DataError(`${this.#file}:${this.line}: ${reason}.`)
  }

  /** The next character that is no white space; empty at the end. */
  async peek(): Promise<string> {
    for (;;) {
      while (this.#at < this.#text.length) {
        const next = this.#text[this.#at] as string
        if (!SPACE.test(next)) return next
        if (next === '\n') this.line++
        this.#at++
      }
      if (!(await this.#more())) return ''
    }
  }

  /** Skips a character if it is next. */
  async skip(token: string): Promise<boolean> {
    if ((await this.peek()) !== token) return false
    this.#at++
    return true
  }

  /** @throws DataError for another character */
  async expect(token: string, otherwise: string): Promise<void> {
    if (await this.skip(token)) return
    throw (await this.peek()) === '' ? this.error('the file ends too early') : this.error(otherwise)
  }

  /** @throws DataError unless only white space is left */
  async end(): Promise<void> {
    if ((await this.peek()) !== '') throw this.error('the data ends here, yet more text follows')
  }

  /** The text of the next value, delimited by brackets and quotes but not parsed. */
  async value(): Promise<string> {
    const first = await this.peek()
    if (first === '') throw this.error('the file ends too early')
    const started = this.line
    const length =
      first === '{' || first === '[' || first === '"' ? await this.#nested(started) : await this.#plain(started)
    const text = this.#text.slice(this.#at, this.#at + length)
    this.#at += length
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.line++
    return text
  }

  /** The length of a number or a word. */
  async #plain(started: number): Promise<number> {
    for (;;) {
      DELIMITER.lastIndex = this.#at
      const match = DELIMITER.exec(this.#text)
      const length = (match?.index ?? this.#text.length) - this.#at
      if (match !== null || !(await this.#more(started))) {
        if (length === 0) throw this.error(`'${this.#text[this.#at]}' is not expected here`)
        return length
      }
    }
  }

  /** The length of an object, an array or a string, including its end. */
  async #nested(started: number): Promise<number> {
    let depth = 0
    let quoted = false
    let from = 0
    for (;;) {
      // Offsets are relative to the start of the value, because reading more moves the text.
      let at = this.#at + from
      while (at < this.#text.length) {
        if (quoted) {
          const end = closingQuote(this.#text, at, this.#at)
          if (end < 0) {
            at = this.#text.length
            break
          }
          quoted = false
          at = end + 1
        } else {
          MARKS.lastIndex = at
          const match = MARKS.exec(this.#text)
          if (match === null) {
            at = this.#text.length
            break
          }
          at = match.index + 1
          if (match[0] === '"') quoted = true
          else depth += match[0] === '{' || match[0] === '[' ? 1 : -1
        }
        if (depth === 0 && !quoted) return at - this.#at
      }
      from = at - this.#at
      if (!(await this.#more(started)))
        throw new DataError(`${this.#file}:${started}: what begins here has no end: the file ends too early.`)
    }
  }

  /**
   * Reads more text, and discards what was read before the current value.
   * @returns false at the end
   */
  async #more(started = this.line): Promise<boolean> {
    if (this.#done) return false
    if (this.#text.length - this.#at > LARGEST_ROW)
      throw new DataError(`${this.#file}:${started}: the row that begins here is larger than 16 MB.`)
    const { value, done } = await this.#chunks.next()
    this.#done = done === true
    try {
      // The decoder removes a byte order mark.
      const next = done === true ? this.#decoder.decode() : this.#decoder.decode(value, { stream: true })
      this.#text = this.#text.slice(this.#at) + next
      this.#at = 0
    } catch {
      throw new DataError(`${this.#file}: the file is not UTF-8 text (somewhere behind line ${this.line}).`)
    }
    return true
  }
}

/**
 * The position of the quote that ends the string around `at`; -1 when it has not arrived yet.
 * @param start of the value
 */
function closingQuote(text: string, at: number, start: number): number {
  for (let end = text.indexOf('"', at); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (before >= start && text[before] === '\\') before--
    // An even number of backslashes does not escape the quote.
    if ((end - before) % 2 === 1) return end
  }
  return -1
}
