/** The source of a regular expression during parsing, and the escapes of single characters. */
import { ArgumentFault } from '../fault.ts'
import { MAX_CODE_POINT } from './char-set.ts'

const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, a: 7, e: 27 }

export class Source {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get ended(): boolean {
    return this.#at >= this.#text.length
  }

  /** Returns the next character; empty at the end. */
  peek(): string {
    const code = this.#text.codePointAt(this.#at)
    return code === undefined ? '' : String.fromCodePoint(code)
  }

  next(): string {
    const character = this.peek()
    this.#at += character.length
    return character
  }

  /** Consumes the text if it comes next. Returns whether it did. */
  consume(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  /** Checks whether a sticky pattern matches at the current position. */
  isNext(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    return pattern.test(this.#text)
  }

  /** Consumes the match of a sticky pattern at the current position; returns null when there is none. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const stickyMatch = pattern.exec(this.#text)
    if (stickyMatch !== null) this.#at += stickyMatch[0].length
    return stickyMatch
  }

  /**
   * Parses an escape after its backslash and returns its code points: one, or several for `\u{61 62}` in a class.
   * @throws ArgumentFault for invalid syntax
   */
  codes(inClass: boolean): readonly number[] {
    const several = this.match(/u\{\s*([0-9a-fA-F]{1,6}(?:\s+[0-9a-fA-F]{1,6})*)\s*\}/y)
    if (several !== null) {
      const codes = (several[1] ?? '').split(/\s+/).map((each) => Number.parseInt(each, 16))
      if (codes.some((code) => code > MAX_CODE_POINT)) throw new ArgumentFault('invalid Unicode range')
      if (codes.length > 1 && !inClass) throw new ArgumentFault('several characters in one `\\u{…}` are not supported')
      return codes
    }
    return [this.code(inClass)]
  }

  /**
   * Parses an escape of one code point after its backslash.
   * @throws ArgumentFault for invalid syntax
   */
  code(inClass: boolean): number {
    const hex = this.match(/u([0-9a-fA-F]{4})|u\{\s*([0-9a-fA-F]{1,6})\s*\}|x([0-9a-fA-F]{1,2})/y)
    if (hex !== null) {
      const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '', 16)
      if (hex[3] !== undefined && code > 127) throw new ArgumentFault('it has bytes beyond ASCII, `\\x80` and up')
      if (code > MAX_CODE_POINT) throw new ArgumentFault('invalid Unicode range')
      return code
    }
    const octal = this.match(inClass ? /[0-7]{1,3}/y : /0[0-7]{0,2}/y)
    if (octal !== null) return Number.parseInt(octal[0], 8)
    const control = this.match(/c([ -~])|C-([ -~])/y)
    if (control !== null) return ((control[1] ?? control[2] ?? '').codePointAt(0) ?? 0) & 31
    const character = this.next()
    if (character === '') throw new ArgumentFault('too short escape sequence')
    if ('uxpPCMc'.includes(character)) throw new ArgumentFault(`invalid escape \\${character}`)
    if (inClass && character === 'b') return 8
    return CONTROLS[character] ?? character.codePointAt(0) ?? 0
  }
}
