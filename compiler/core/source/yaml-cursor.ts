/** A cursor in a YAML text, with the blanks and line breaks of libyaml. */

/** A YAML syntax error. The message is a phrase. `expected`: the missing token, if it is known. */
export class YamlRefusal extends Error {
  readonly start: number
  readonly end: number
  readonly expectedText: string | null

  constructor(start: number, end: number, message: string, expected: string | null = null) {
    super(message)
    this.start = start
    this.end = end
    this.expectedText = expected
  }
}

const CONTROL = /[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

export class YamlCursor {
  readonly text: string
  /** The offsets of the next character and of its line. */
  at = 0
  lineStart = 0

  /** Places the cursor at the beginning of a text. @throws YamlRefusal if the text contains a character that YAML does not allow */
  constructor(text: string) {
    this.text = text
    const control = CONTROL.exec(text)
    if (control !== null) throw new YamlRefusal(control.index, control.index + 1, 'it contains a control character')
    if (text.startsWith('\ufeff')) this.at = this.lineStart = 1
  }

  get column(): number {
    return this.at - this.lineStart
  }

  /** Returns the code of the character `ahead` of the cursor; 0 after the end, because the text cannot contain that character. */
  code(ahead = 0): number {
    const at = this.at + ahead
    return at < this.text.length ? this.text.charCodeAt(at) : 0
  }

  /** Returns the character `ahead` of the cursor; an empty text after the end. */
  sign(ahead = 0): string {
    return this.text[this.at + ahead] ?? ''
  }

  /** Matches a pattern with the flag `y` at the cursor. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    return pattern.exec(this.text)
  }

  /** Moves past the line break at the cursor. @returns the line break as text */
  breakLine(): string {
    const code = this.code()
    this.at += code === 13 && this.code(1) === 10 ? 2 : 1
    this.lineStart = this.at
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : '\n'
  }

  skipComment(): void {
    if (this.sign() === '#') while (!endsLine(this.code())) this.at++
  }

  /** Moves to the end of the line. Only a comment may come before it. */
  endLine(): void {
    while (isBlank(this.code())) this.at++
    this.skipComment()
    if (!endsLine(this.code())) this.refuse(WRONG_PLACE)
  }

  /** Returns `---` or `...` in the first column. */
  documentSign(): '---' | '...' | null {
    if (this.column !== 0 || !endsWord(this.code(3))) return null
    if (this.text.startsWith('---', this.at)) return '---'
    return this.text.startsWith('...', this.at) ? '...' : null
  }

  refuse(message: string, length = 1): never {
    throw new YamlRefusal(this.at, this.at + length, message)
  }
}

export const WRONG_COLON = 'a key is expected here; put a text that contains `: ` in quotes'
export const WRONG_PLACE = 'this is not allowed here; check the indentation and the quotes'
export const TAB = 'a tab cannot indent a line; use spaces'

export function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

export function isBreak(code: number): boolean {
  return code === 10 || code === 13 || code === 0x85 || code === 0x2028 || code === 0x2029
}

export function endsLine(code: number): boolean {
  return code === 0 || isBreak(code)
}

export function endsWord(code: number): boolean {
  return isBlank(code) || endsLine(code)
}
