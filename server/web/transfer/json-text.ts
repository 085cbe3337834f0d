/**
 * Reads JSON text value by value. The structure is scanned as the text arrives, and each value is returned as unparsed
 * text.
 */
import { DataError, MAX_ROW_SIZE } from './rows.ts'

const WHITESPACE = /[ \t\r\n]/
/** Matches the end of a number or a word. */
const DELIMITER = /[\s,\]}]/g
const STRUCTURE_CHARACTERS = /["{}[\]]/g

/** The location of an item of an array. */
export interface JsonItem {
  readonly line: number
  /** Starts at 1. */
  readonly number: number
}

/**
 * Reads the names of an object's members after its opening brace. The caller reads each value before it requests the
 * next name.
 */
export async function* members(text: JsonText): AsyncGenerator<string> {
  if (await text.skipIf('}')) return
  do {
    const name = tryParseJson(await text.value())
    if (typeof name !== 'string') throw text.error('a name in double quotes is expected')
    await text.expect(':', `a colon is expected after "${name}"`)
    yield name
  } while (await text.skipIf(','))
  await text.expect('}', 'a comma or a closing brace is expected')
}

/**
 * Reads the items of an array after its opening bracket. The caller reads each item completely before it requests the
 * next one.
 * @param owner the owner of the items, for errors
 * @param itemsBefore the number of items that were counted already
 */
export async function* items(text: JsonText, owner: string, itemsBefore = 0): AsyncGenerator<JsonItem> {
  if (await text.skipIf(']')) return
  let number = itemsBefore
  do {
    await text.peek()
    number++
    yield { line: text.line, number }
  } while (await text.skipIf(','))
  await text.expect(']', `a comma or a closing bracket is expected after row ${number} of ${owner}`)
}

/** Parses JSON. Returns undefined for invalid JSON, which the caller reports with its line. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns why a text is not valid JSON, as part of a sentence. */
export function describeJsonError(source: string): string {
  try {
    JSON.parse(source)
  } catch (error) {
    if (error instanceof RangeError) return 'it is nested too deeply'
    if (/^[^"]*'/.test(source)) return "it is not JSON: names and texts need double quotes instead of '…'"
    if (error instanceof SyntaxError)
      return `it is not JSON: ${error.message.replace(/, .*"? is not valid JSON$/s, '')}`
  }
  return 'it is not JSON'
}

/** The incoming text: the unread part, and the current line. */
export class JsonText {
  /** The line of the next character, starting at 1. */
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

  /** Returns the next character that is not whitespace, or an empty text at the end. */
  async peek(): Promise<string> {
    for (;;) {
      while (this.#at < this.#text.length) {
        const next = this.#text.charAt(this.#at)
        if (!WHITESPACE.test(next)) return next
        if (next === '\n') this.line++
        this.#at++
      }
      if (!(await this.#readMore())) return ''
    }
  }

  /** Skips a character if it is next. Returns whether it was. */
  async skipIf(token: string): Promise<boolean> {
    if ((await this.peek()) !== token) return false
    this.#at++
    return true
  }

  /**
   * Skips a required character.
   * @throws DataError for another character
   */
  async expect(token: string, otherwise: string): Promise<void> {
    if (await this.skipIf(token)) return
    throw (await this.peek()) === '' ? this.error('the file ends too early') : this.error(otherwise)
  }

  /**
   * Checks that only whitespace is left.
   * @throws DataError for more text
   */
  async closingIndex(): Promise<void> {
    if ((await this.peek()) !== '') throw this.error('unexpected text after the end of the data')
  }

  /** Returns the text of the next value. It is delimited by brackets and quotes but not parsed. */
  async value(): Promise<string> {
    const first = await this.peek()
    if (first === '') throw this.error('the file ends too early')
    const startedAt = this.line
    const length =
      first === '{' || first === '[' || first === '"'
        ? await this.#delimitedLength(startedAt)
        : await this.#plainLength(startedAt)
    const text = this.#text.slice(this.#at, this.#at + length)
    this.#at += length
    for (let lineBreak = text.indexOf('\n'); lineBreak >= 0; lineBreak = text.indexOf('\n', lineBreak + 1)) this.line++
    return text
  }

  /** Returns the length of a number or a word. */
  async #plainLength(startedAt: number): Promise<number> {
    for (;;) {
      DELIMITER.lastIndex = this.#at
      const match = DELIMITER.exec(this.#text)
      const length = (match?.index ?? this.#text.length) - this.#at
      if (match !== null || !(await this.#readMore(startedAt))) {
        if (length === 0) throw this.error(`'${this.#text[this.#at]}' is unexpected`)
        return length
      }
    }
  }

  /** Returns the length of an object, an array or a string, including its end. */
  async #delimitedLength(startedAt: number): Promise<number> {
    let depth = 0
    let quoted = false
    let offset = 0
    for (;;) {
      // Offsets are relative to the start of the value, because reading more moves the text.
      let at = this.#at + offset
      while (at < this.#text.length) {
        if (quoted) {
          const closingIndex = closingQuote(this.#text, at, this.#at)
          if (closingIndex < 0) {
            at = this.#text.length
            break
          }
          quoted = false
          at = closingIndex + 1
        } else {
          STRUCTURE_CHARACTERS.lastIndex = at
          const match = STRUCTURE_CHARACTERS.exec(this.#text)
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
      offset = at - this.#at
      if (!(await this.#readMore(startedAt)))
        throw new DataError(
          `${this.#file}:${startedAt}: the value that starts here is not complete: the file ends too early.`,
        )
    }
  }

  /**
   * Reads more text, and discards the text before the current value.
   * @returns false at the end
   */
  async #readMore(startedAt = this.line): Promise<boolean> {
    if (this.#done) return false
    if (this.#text.length - this.#at > MAX_ROW_SIZE)
      throw new DataError(`${this.#file}:${startedAt}: the row that starts here is larger than 16 MB.`)
    const { value, done } = await this.#chunks.next()
    this.#done = done === true
    try {
      // The decoder removes a byte order mark.
      const next = done === true ? this.#decoder.decode() : this.#decoder.decode(value, { stream: true })
      this.#text = this.#text.slice(this.#at) + next
      this.#at = 0
    } catch {
      throw new DataError(`${this.#file}: the file is not UTF-8 text (after line ${this.line}).`)
    }
    return true
  }
}

/**
 * Returns the position of the quote that ends the string around `at`, or -1 when it has not arrived yet.
 * @param start start of the value
 */
function closingQuote(text: string, at: number, start: number): number {
  for (
    let closingIndex = text.indexOf('"', at);
    closingIndex >= 0;
    closingIndex = text.indexOf('"', closingIndex + 1)
  ) {
    let precedingIndex = closingIndex - 1
    while (precedingIndex >= start && text[precedingIndex] === '\\') precedingIndex--
    // An even number of backslashes does not escape the quote.
    if ((closingIndex - precedingIndex) % 2 === 1) return closingIndex
  }
  return -1
}
