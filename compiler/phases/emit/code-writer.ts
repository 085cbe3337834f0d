/** Collects printed code: its text, lines and marks. A part that makes a line too long can be taken back and written in another way. */
import { NOWHERE, type Origin } from '../../core/model/code.ts'
import type { Mark, Printed } from '../../core/model/printed.ts'

/** Maximum length of a line in characters. Longer lines are broken where the syntax allows it. */
export const MAX_LINE = 120

const EXPORT = 'export '

/** The state of a writer at a position, to which it can return. */
interface Position {
  readonly pieces: number
  readonly length: number
  readonly lines: number
  readonly lineStart: number
  readonly marks: number
}

export type Brackets = readonly [open: string, close: string]

export const ROUND: Brackets = ['(', ')']
export const SQUARE: Brackets = ['[', ']']
export const BRACES: Brackets = ['{', '}']

export class CodeWriter {
  /** The written text in pieces, which are joined once. */
  readonly #pieces: string[] = []
  #length = 0
  #lines = 1
  /** The offset at which the current line begins. */
  #lineStart = 0
  readonly #marks: Mark[] = []
  readonly #exports: Printed['exports'][number][] = []
  #indent = ''
  /** The number of characters after the current part that must fit into its line. */
  #margin = 0
  readonly #maxLine: number
  /** Maximum length of the current line. */
  #limit: number
  /** Whether a line was longer than the maximum since this was last set to false. */
  #isOverlong = false
  /** Whether everything is written without line breaks at the moment, to find out whether it fits. */
  #isFlat = false

  /** @param maxLine the maximum length of a line */
  constructor(maxLine: number) {
    this.#maxLine = maxLine
    this.#limit = maxLine
  }

  get printed(): Printed {
    return { text: this.#pieces.join(''), lines: this.#lines, marks: this.#marks, exports: this.#exports }
  }

  write(text: string): void {
    this.#pieces.push(text)
    this.#length += text.length
    if (this.#length - this.#lineStart > this.#limit) this.#isOverlong = true
  }

  /** Begins an indented line. */
  feed(): void {
    this.newLine()
    this.write(this.#indent)
  }

  newLine(): void {
    this.#pieces.push('\n')
    this.#lineStart = ++this.#length
    this.#lines++
  }

  mark(origin: Origin): void {
    const span = origin === NOWHERE ? null : origin
    this.#marks.push({ line: this.#lines - 1, column: this.#length - this.#lineStart, span })
  }

  export(): void {
    this.#exports.push({ offset: this.#length, line: this.#lines - 1 })
    this.write(EXPORT)
  }

  /** Writes with indented lines. */
  indented(write: () => void): void {
    const outer = this.#indent
    this.#indent = `${outer}  `
    write()
    this.#indent = outer
  }

  /** Writes so that there is space for some more characters on the last line. */
  withMargin(margin: number, write: () => void): void {
    this.#margin += margin
    write()
    this.#margin -= margin
  }

  /** Whether the code that is tried on one line is already too long, so that the rest of it need not be written. */
  get isRejected(): boolean {
    return this.#isFlat && this.#isOverlong
  }

  /** Writes on one line if that fits, with `reserve` characters after it; otherwise on several lines. */
  group(flat: () => void, broken: () => void, reserve = 1): void {
    if (this.#isFlat) return flat()
    const start: Position = {
      pieces: this.#pieces.length,
      length: this.#length,
      lines: this.#lines,
      lineStart: this.#lineStart,
      marks: this.#marks.length,
    }
    const wasOverlong = this.#isOverlong
    this.#isOverlong = false
    this.#isFlat = true
    this.#limit = this.#maxLine - reserve - this.#margin
    flat()
    this.#limit = this.#maxLine
    this.#isFlat = false
    const fits = !this.#isOverlong
    this.#isOverlong = wasOverlong
    if (fits) return
    this.#pieces.length = start.pieces
    this.#length = start.length
    this.#lines = start.lines
    this.#lineStart = start.lineStart
    this.#marks.length = start.marks
    broken()
  }

  /** Writes lines of their own, which may be broken although the code around them is tried on one line. */
  unbound(write: () => void): void {
    const [wasFlat, wasOverlong, limit] = [this.#isFlat, this.#isOverlong, this.#limit]
    this.#isFlat = false
    this.#limit = this.#maxLine
    write()
    this.#isFlat = wasFlat
    this.#isOverlong = wasOverlong
    this.#limit = limit
  }

  /** Writes `{`, indented lines, and `}`. */
  braces(lines: () => void, [open, close]: Brackets = BRACES): void {
    this.write(open)
    this.indented(lines)
    this.feed()
    this.write(close)
  }

  /** Writes items with separators: on one line if they fit with `reserve` characters after them, otherwise each on its own line. */
  items<Item>(items: readonly Item[], [open, close]: Brackets, write: (item: Item) => void, reserve = 1): void {
    if (items.length === 0) return this.write(`${open}${close}`)
    const padding = open === '{' ? ' ' : ''
    this.group(
      () => {
        this.write(`${open}${padding}`)
        let at = 0
        for (const item of items) {
          if (this.isRejected) return
          if (at++ > 0) this.write(', ')
          write(item)
        }
        this.write(`${padding}${close}`)
      },
      () => this.lines(items, [open, close], write),
      reserve,
    )
  }

  /** Writes items in brackets, each on its own line. */
  lines<Item>(items: readonly Item[], brackets: Brackets, write: (item: Item) => void): void {
    this.braces(() => {
      for (const item of items) {
        this.feed()
        write(item)
        this.write(',')
      }
    }, brackets)
  }

  /** Writes code that was already printed. */
  add({ text, lines, marks, exports }: Printed): void {
    const first = this.#lines - 1
    const start = this.#length
    for (const { line, column, span } of marks) this.#marks.push({ line: first + line, column, span })
    for (const { offset, line } of exports) this.#exports.push({ offset: start + offset, line: first + line })
    this.#pieces.push(text)
    this.#length += text.length
    this.#lines += lines - 1
    this.#lineStart = start + text.lastIndexOf('\n') + 1
  }
}

/** Returns the code without `export` keywords, for a single scope with other modules. */
export function withoutExports(printedModule: Printed): Printed {
  const { text, lines, marks, exports } = printedModule
  if (exports.length === 0) return printedModule
  const pieces = exports.map(({ offset }, at) => text.slice(offset + EXPORT.length, exports[at + 1]?.offset))
  const exportLines = new Set(exports.map(({ line }) => line))
  const isMoved = ({ line, column }: Mark) => column > 0 && exportLines.has(line)
  return {
    text: text.slice(0, exports[0]?.offset) + pieces.join(''),
    lines,
    marks: marks.some(isMoved)
      ? marks.map((mark) => (isMoved(mark) ? { ...mark, column: mark.column - EXPORT.length } : mark))
      : marks,
    exports: [],
  }
}
