/** The mappings of a version-3 source map, written in the order of the generated text. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const COMMA = 44
const SEMICOLON = 59
/** The size of the longest segment in bytes: five numbers of seven digits, and a separator. */
const LONGEST_SEGMENT = 36

export class Mappings {
  #bytes = new Uint8Array(4096)
  #length = 0
  #line = 0
  #isFirst = true
  #column = 0
  #source = 0
  #sourceLine = 0
  #sourceColumn = 0

  /** Adds a place without a source. Lines and columns are 0-based. */
  addUnmapped(line: number, column: number): void {
    this.#begin(line, column)
  }

  /** Adds a place with its source. */
  add(line: number, column: number, source: number, sourceLine: number, sourceColumn: number): void {
    this.#begin(line, column)
    this.#number(source - this.#source)
    this.#number(sourceLine - this.#sourceLine)
    this.#number(sourceColumn - this.#sourceColumn)
    this.#source = source
    this.#sourceLine = sourceLine
    this.#sourceColumn = sourceColumn
  }

  get text(): string {
    return new TextDecoder().decode(this.#bytes.subarray(0, this.#length))
  }

  #begin(line: number, column: number): void {
    this.#reserve(line - this.#line + LONGEST_SEGMENT)
    if (line > this.#line) {
      this.#bytes.fill(SEMICOLON, this.#length, this.#length + line - this.#line)
      this.#length += line - this.#line
      this.#line = line
      this.#column = 0
      this.#isFirst = true
    }
    if (!this.#isFirst) this.#bytes[this.#length++] = COMMA
    this.#isFirst = false
    this.#number(column - this.#column)
    this.#column = column
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const longer = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes))
    longer.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = longer
  }

  /**
   * Writes a number in base 64 with the lowest digits first: five bits, and a bit that tells whether more follow. The lowest bit is the
   * sign.
   */
  #number(value: number): void {
    let rest = value < 0 ? (-value << 1) | 1 : value << 1
    do {
      const digit = rest & 31
      rest >>>= 5
      this.#bytes[this.#length++] = DIGITS.charCodeAt(rest > 0 ? digit | 32 : digit)
    } while (rest > 0)
  }
}
