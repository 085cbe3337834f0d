/** Writes a module's text: indentation, merging of printed text, and marks from emitted places back to the template. */
import type { Span } from '../source/span.ts'

/** An emitted place (0-based line and column) and the template's place that it comes from. */
export interface Mark {
  readonly line: number
  readonly column: number
  readonly span: Span
}

type Part = { readonly text: string } | { readonly code: string; readonly span: Span }

/** From this length on a text of the template is copied as bytes: shorter ones are cheaper as part of a string. */
export const LONG_TEXT = 512

export class Writer {
  readonly lines: string[] = []
  readonly marks: Mark[] = []
  #indent = 0
  #parts: Part[] = []
  /** The variable that printed text is added to; null where it is thrown away. */
  target: string | null = 'out'
  /** In a function that prints into a sink: gives the name of a constant that holds a text's bytes. */
  bytes: ((text: string) => string) | null = null

  /** Adds text to what is printed next. */
  text(text: string): void {
    if (text === '' || this.target === null) return
    const last = this.#parts.at(-1)
    if (last !== undefined && 'text' in last) this.#parts[this.#parts.length - 1] = { text: last.text + text }
    else this.#parts.push({ text })
  }

  /** Adds the value of `code`, a string, to what is printed next. */
  print(code: string, span: Span): void {
    if (this.target !== null) this.#parts.push({ code, span })
  }

  /** Writes what was printed so far: one statement, or in front of and behind each long text that goes to the sink as bytes. */
  flush(): void {
    const parts = this.#parts
    if (parts.length === 0) return
    this.#parts = []
    if (this.bytes === null || this.target !== 'out') return this.#add(parts)
    let from = 0
    for (const [at, part] of parts.entries()) {
      if (!('text' in part) || part.text.length < LONG_TEXT) continue
      this.#add(parts.slice(from, at))
      this.#push(`written = writeBytes(sink, ${this.bytes(part.text)}, writeText(sink, out, written))`)
      this.#push("out = ''")
      from = at + 1
    }
    this.#add(parts.slice(from))
  }

  #add(parts: readonly Part[]): void {
    if (parts.length === 0) return
    let line = `${this.target} += `
    const only = parts[0] as Part
    if (parts.length === 1 && 'code' in only) {
      this.#mark(line.length, only.span)
      this.#push(line + only.code)
      return
    }
    if (parts.length === 1 && 'text' in only && only.text.split('\n', 3).length < 3) {
      this.#push(line + quoted(only.text))
      return
    }
    // Line feeds stand as they are, so that what is printed reads like the template.
    let continued = false
    const next = (text: string) => {
      if (continued) this.lines.push(RAW + line)
      else this.#push(line)
      continued = true
      line = text
    }
    line += '`'
    for (const part of parts) {
      if ('text' in part) {
        const [first = '', ...rest] = templateText(part.text).split('\n')
        line += first
        for (const each of rest) next(each)
      } else {
        const column = line.length + 2
        if (continued) this.marks.push({ line: this.lines.length, column: column + RAW.length, span: part.span })
        else this.#mark(column, part.span)
        line += `\${${part.code}}`
      }
    }
    next('')
    this.lines[this.lines.length - 1] += '`'
  }

  /** Writes one statement; `span` null where nothing of it can fail. */
  statement(code: string, span: Span | null): void {
    this.flush()
    if (span !== null) this.#mark(0, span)
    this.#push(code)
  }

  /** Writes `head { … }`; `tail` follows the closing brace. */
  block(head: string, span: Span | null, body: () => void, tail = ''): void {
    this.flush()
    const joins = /^(else|catch|finally)\b/.test(head) && this.lines.at(-1)?.trimStart() === '}'
    if (joins) {
      const before = this.lines.pop() as string
      this.#indented(`${before} ${head} {`, span, before.length + 1)
    } else {
      if (span !== null) this.#mark(0, span)
      this.#push(`${head} {`)
    }
    this.#indent++
    body()
    this.flush()
    this.#indent--
    this.#push(`}${tail}`)
  }

  #indented(line: string, span: Span | null, column: number): void {
    if (span !== null) this.marks.push({ line: this.lines.length, column, span })
    this.lines.push(line)
  }

  #push(code: string): void {
    this.lines.push(code === '' ? '' : '  '.repeat(this.#indent) + code)
  }

  #mark(column: number, span: Span): void {
    this.marks.push({ line: this.lines.length, column: this.#indent * 2 + column, span })
  }

  /** Puts lines in front of line `at`, moving the marks behind them. */
  insert(at: number, lines: readonly string[]): void {
    this.lines.splice(at, 0, ...lines)
    for (const [index, mark] of this.marks.entries()) {
      if (mark.line >= at) this.marks[index] = { ...mark, line: mark.line + lines.length }
    }
  }

  /** Adds another writer's lines, indented as here. */
  append(other: Writer): void {
    this.flush()
    other.flush()
    const offset = this.lines.length
    for (const line of other.lines) {
      if (line.startsWith(RAW)) this.lines.push(line)
      else this.#push(line)
    }
    for (const mark of other.marks) {
      const indent = other.lines[mark.line]?.startsWith(RAW) ? 0 : this.#indent * 2
      this.marks.push({ line: mark.line + offset, column: mark.column + indent, span: mark.span })
    }
  }
}

/** A text as a JavaScript literal in single quotes. */
export function quoted(text: string): string {
  return `'${text.replace(/[\\'\n\r\t\b\f\v\0\u2028\u2029\ue000-\ue002]|[\u0001-\u001f]/g, escapeCharacter)}'`
}

function templateText(text: string): string {
  return text.replace(/[\\`\r\t\b\f\v\0\u2028\u2029\ue000-\ue002]|\$\{|[\u0001-\u0008\u000b-\u001f]/g, (found) =>
    found === '${' ? '\\${' : escapeCharacter(found),
  )
}

const NAMED: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '`': '\\`',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
}

function escapeCharacter(found: string): string {
  return NAMED[found] ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
}

// Annotations stand between two private characters, so that one text gives TypeScript and JavaScript.
const OPEN = '\ue000'
const CLOSE = '\ue001'
/** Begins a line that continues a text: it is never indented. */
const RAW = '\ue002'

/** A type annotation, left out of the JavaScript text. */
export function annotation(type: string): string {
  return OPEN + type + CLOSE
}

/** The text as TypeScript. */
export function typedText(lines: readonly string[]): string {
  return lines.map((line) => (SIGN.test(line) ? line.replace(SIGNS, '') : line)).join('\n')
}

/** Marks where they are in the text as TypeScript. */
export function typedMarks(lines: readonly string[], marks: readonly Mark[]): Mark[] {
  // Most lines hold no signs, and long ones hold many marks.
  const first = new Map<number, number>()
  return marks.map((mark) => {
    const line = lines[mark.line] ?? ''
    let at = first.get(mark.line)
    if (at === undefined) first.set(mark.line, (at = line.search(SIGN)))
    const count = at < 0 || at >= mark.column ? 0 : signs(line, mark.column)
    return count === 0 ? mark : { line: mark.line, column: mark.column - count, span: mark.span }
  })
}

const SIGN = /[\ue000-\ue002]/
const SIGNS = /[\ue000-\ue002]/g

function signs(line: string, end: number): number {
  let count = 0
  for (let at = 0; at < end && at < line.length; at++)
    if (line[at] === OPEN || line[at] === CLOSE || line[at] === RAW) count++
  return count
}

/** The text as JavaScript. Lines stay, columns behind an annotation move left. */
export function plainText(lines: readonly string[]): string {
  return lines
    .map((line) => (/[\ue000\ue002]/.test(line) ? line.replace(/\ue000[^\ue001]*\ue001|\ue002/g, '') : line))
    .join('\n')
}
