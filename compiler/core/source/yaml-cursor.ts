/** A place in a YAML text that moves on, with what libyaml takes for blanks and line breaks. */

/** What keeps a text from being read, as a part of a sentence; `expected` is what is missing, where that is one thing. */
export class YamlRefusal extends Error {
  readonly start: number
  readonly end: number
  readonly expected: string | null

  constructor(start: number, end: number, message: string, expected: string | null = null) {
    super(message)
    this.start = start
    this.end = end
    this.expected = expected
  }
}

const CONTROL = /[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

export class YamlCursor {
  readonly text: string
  /** Offset of the next character, and of the line in which it stands. */
  at = 0
  lineStart = 0

  /** @throws YamlRefusal where the text holds a character that YAML has not */
  constructor(text: string) {
    this.text = text
    const control = CONTROL.exec(text)
    if (control !== null) throw new YamlRefusal(control.index, control.index + 1, 'it holds a control character')
    if (text.startsWith('\ufeff')) this.at = this.lineStart = 1
  }

  get column(): number {
    return this.at - this.lineStart
  }

  /** The code of the character that stands `ahead` of here; 0 after the text, which does not contain that character. */
  code(ahead = 0): number {
    const at = this.at + ahead
    return at < this.text.length ? this.text.charCodeAt(at) : 0
  }

  /** The character that stands `ahead` of here; an empty text after the last one. */
  sign(ahead = 0): string {
    return this.text[this.at + ahead] ?? ''
  }

  /** What a pattern with the flag `y` finds here. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    return pattern.exec(this.text)
  }

  /** Moves past the line break that stands here. @returns what it means in a text */
  breakLine(): string {
    const code = this.code()
    this.at += code === 13 && this.code(1) === 10 ? 2 : 1
    this.lineStart = this.at
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : '\n'
  }

  skipComment(): void {
    if (this.sign() === '#') while (!endsLine(this.code())) this.at++
  }

  /** Goes to the end of the line, before which nothing but a comment may stand. */
  endLine(): void {
    while (isBlank(this.code())) this.at++
    this.skipComment()
    if (!endsLine(this.code())) this.refuse(WRONG_PLACE)
  }

  /** `---` or `...` in the first column. */
  documentSign(): '---' | '...' | null {
    if (this.column !== 0 || !endsWord(this.code(3))) return null
    if (this.text.startsWith('---', this.at)) return '---'
    return this.text.startsWith('...', this.at) ? '...' : null
  }

  refuse(message: string, length = 1): never {
    throw new YamlRefusal(this.at, this.at + length, message)
  }
}

export const WRONG_COLON = 'a key is expected here; a text that holds `: ` stands in quotes'
export const WRONG_PLACE = 'this does not belong here; check the indentation and the quotes'
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
