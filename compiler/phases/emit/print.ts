/** Prints emitted code as TypeScript, or as JavaScript without types, and maps its places to the templates. */
import {
  type Code,
  type Entry,
  type Handler,
  NOWHERE,
  type Origin,
  type Parameter,
  type Statement,
  type TypeCode,
  type Variable,
} from '../../core/model/code.ts'
import type { CodeLanguage, Mark, Printed } from '../../core/model/printed.ts'
import { isIdentifier, keyText, numberText, quoted, templateText } from './literals.ts'
import { ANY, baseLevel, CALL, CHOICE, leftLevel, level, firstCharacter, rightLevel, UNARY } from './precedence.ts'

const EXPORT = 'export '

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

export function print(statements: readonly Statement[], language: CodeLanguage): Printed {
  return new Printer(language).print(statements)
}

class Printer {
  readonly #printsTypes: boolean
  /** The written text in pieces, which are joined once. */
  readonly #pieces: string[] = []
  #length = 0
  #lines = 1
  /** The offset at which the current line begins. */
  #lineStart = 0
  readonly #marks: Mark[] = []
  readonly #exports: Printed['exports'][number][] = []
  #indent = ''

  constructor(language: CodeLanguage) {
    this.#printsTypes = language === 'typescript'
  }

  print(statements: readonly Statement[]): Printed {
    let at = 0
    for (const statement of statements) {
      if (at > 0) this.#feed()
      this.#statement(statement, at++)
    }
    return { text: this.#pieces.join(''), lines: this.#lines, marks: this.#marks, exports: this.#exports }
  }

  // ---- text and lines ----------------------------------------------------------------------------------------------------------

  #write(text: string): void {
    this.#pieces.push(text)
    this.#length += text.length
  }

  #feed(): void {
    this.#newLine()
    this.#write(this.#indent)
  }

  #newLine(): void {
    this.#write('\n')
    this.#lines++
    this.#lineStart = this.#length
  }

  #mark(origin: Origin): void {
    const span = origin === NOWHERE ? null : origin
    this.#marks.push({ line: this.#lines - 1, column: this.#length - this.#lineStart, span })
  }

  /** Writes `{`, indented lines, and `}`. */
  #braces(lines: () => void, [open, close] = ['{', '}']): void {
    const outer = this.#indent
    this.#write(open)
    this.#indent = `${outer}  `
    lines()
    this.#indent = outer
    this.#feed()
    this.#write(close)
  }

  #body(statements: readonly Statement[]): void {
    this.#braces(() => {
      let at = 0
      for (const statement of statements) {
        if (statement.kind === 'blank' || statement.kind === 'printed') this.#newLine()
        else this.#feed()
        this.#statement(statement, at++)
      }
    })
  }

  // ---- statements -----------------------------------------------------------------------------------------------------

  /** @param at the index of the statement in its body */
  #statement(statement: Statement, at: number): void {
    if ('span' in statement && statement.span !== null) this.#mark(statement.span)
    switch (statement.kind) {
      case 'run':
        return this.#run(statement.code, at)
      case 'declare':
        if (statement.exported) this.#export()
        this.#write(`${statement.keyword} `)
        return this.#variables(statement.variables)
      case 'take':
        this.#write(`const { ${statement.names.join(', ')} } = `)
        return this.#code(statement.from, ANY)
      case 'return':
        this.#write('return')
        if (statement.value === null) return
        this.#write(' ')
        return this.#code(statement.value, ANY)
      case 'break':
      case 'continue':
        this.#write(statement.label === null ? statement.kind : `${statement.kind} ${statement.label}`)
        return
      case 'if':
        return this.#if(statement)
      case 'for':
        this.#write('for (let ')
        this.#variables(statement.variables)
        this.#write('; ')
        this.#code(statement.test, ANY)
        this.#write('; ')
        this.#code(statement.step, ANY)
        this.#write(') ')
        return this.#body(statement.body)
      case 'for-of':
        this.#write(`for (const ${statement.name} of `)
        this.#code(statement.iterable, ANY)
        this.#write(') ')
        return this.#body(statement.body)
      case 'label':
        this.#write(`${statement.label}: `)
        return this.#body(statement.body)
      case 'try':
        this.#write('try ')
        this.#body(statement.body)
        this.#handler(`catch (${statement.error})`, statement.handler)
        if (statement.last !== null) this.#handler('finally', statement.last)
        return
      case 'function':
        return this.#function(statement)
      case 'import':
        this.#write(
          `import { ${[...statement.types.map((type) => `type ${type}`), ...statement.names].join(', ')} } from ${quoted(statement.from)}`,
        )
        return
      case 'export':
        this.#write(`export { ${statement.names.join(', ')} }`)
        return
      case 'export-default':
        this.#write('export default ')
        return this.#code(statement.value, ANY)
      case 'comment':
        this.#write(`// ${statement.text}`)
        return
      case 'blank':
        return
      case 'printed':
        return this.#printed(statement.printed)
    }
  }

  /** Writes code that was already printed. */
  #printed({ text, lines, marks, exports }: Printed): void {
    const first = this.#lines - 1
    const start = this.#length
    for (const { line, column, span } of marks) this.#marks.push({ line: first + line, column, span })
    for (const { offset, line } of exports) this.#exports.push({ offset: start + offset, line: first + line })
    this.#write(text)
    this.#lines += lines - 1
    this.#lineStart = start + text.lastIndexOf('\n') + 1
  }

  /** Writes an expression as a statement. Lines end without semicolons, so it starts with one if it could continue the line before. */
  #run(code: Code, at: number): void {
    const first = firstCharacter(code)
    if (first === '{') return this.#parenthesized(code, at > 0)
    if (at > 0 && first !== null) this.#write(';')
    this.#code(code, ANY)
  }

  #parenthesized(code: Code, needsSemicolon: boolean): void {
    this.#write(needsSemicolon ? ';(' : '(')
    this.#code(code, ANY)
    this.#write(')')
  }

  #if({ branches }: Extract<Statement, { kind: 'if' }>): void {
    for (const [at, { test, body, span }] of branches.entries()) {
      if (at > 0) this.#write(' ')
      if (span !== null) this.#mark(span)
      if (at > 0) this.#write('else ')
      if (test !== null) {
        this.#write('if (')
        this.#code(test, ANY)
        this.#write(') ')
      }
      if ('kind' in body) this.#statement(body, 0)
      else this.#body(body)
    }
  }

  #handler(head: string, { body, span }: Handler): void {
    this.#write(' ')
    if (span !== null) this.#mark(span)
    this.#write(`${head} `)
    this.#body(body)
  }

  #function({ name, async, parameters, result, body, exported }: Extract<Statement, { kind: 'function' }>): void {
    if (exported !== undefined) this.#export()
    this.#write(`${exported === 'default' ? 'default ' : ''}${async ? 'async ' : ''}function ${name}`)
    this.#parameters(parameters)
    this.#type(result)
    this.#write(' ')
    this.#body(body)
  }

  #variables(variables: readonly Variable[]): void {
    let at = 0
    for (const { name, type, value } of variables) {
      this.#write(at++ === 0 ? name : `, ${name}`)
      this.#type(type)
      if (value === undefined) continue
      this.#write(' = ')
      this.#code(value, ANY)
    }
  }

  #export(): void {
    this.#exports.push({ offset: this.#length, line: this.#lines - 1 })
    this.#write(EXPORT)
  }

  #parameters(parameters: readonly Parameter[]): void {
    this.#write('(')
    let at = 0
    for (const { name, type, rest } of parameters) {
      this.#write(`${at++ === 0 ? '' : ', '}${rest ? '...' : ''}${name}`)
      this.#type(type)
    }
    this.#write(')')
  }

  #type(type: TypeCode | null): void {
    if (this.#printsTypes && type !== null) this.#write(`: ${typeText(type)}`)
  }

  // ---- expressions ----------------------------------------------------------------------------------------------------

  /** Writes an expression, with parentheses if its precedence is lower than `minimumLevel`. */
  #code(code: Code, minimumLevel: number): void {
    if (level(code) < minimumLevel) {
      this.#write('(')
      this.#codeWithoutParentheses(code)
      this.#write(')')
    } else this.#codeWithoutParentheses(code)
  }

  #codeWithoutParentheses(code: Code): void {
    if (code.span !== undefined) this.#mark(code.span)
    switch (code.kind) {
      case 'name':
        this.#write(code.name)
        return
      case 'null':
      case 'undefined':
        this.#write(code.kind)
        return
      case 'boolean':
        this.#write(String(code.value))
        return
      case 'number':
        this.#write(numberText(code.value))
        return
      case 'string':
        this.#write(quoted(code.value))
        return
      case 'template':
        return this.#template(code.parts)
      case 'list':
        return this.#list(code)
      case 'object':
        return this.#object(code)
      case 'member':
        this.#base(code.object, code.optional)
        if (isIdentifier(code.name)) this.#write(`${code.optional ? '?.' : '.'}${code.name}`)
        else this.#write(`${code.optional ? '?.' : ''}[${quoted(code.name)}]`)
        return
      case 'element':
        this.#base(code.object, false)
        this.#write('[')
        this.#code(code.index, ANY)
        this.#write(']')
        return
      case 'new':
      case 'call':
        if (code.kind === 'new') this.#write('new ')
        this.#base(code.callee, false)
        return this.#items(code.arguments, '(', ')')
      case 'spread':
        this.#write('...')
        return this.#code(code.value, ANY)
      case 'not':
        this.#write('!')
        return this.#code(code.value, UNARY)
      case 'await':
        this.#write('await ')
        return this.#code(code.value, UNARY)
      case 'increment':
        if (code.prefix) this.#write('++')
        this.#code(code.target, CALL)
        if (!code.prefix) this.#write('++')
        return
      case 'binary':
        return this.#binary(code)
      case 'choice':
        this.#code(code.test, CHOICE + 1)
        this.#write(' ? ')
        this.#code(code.yes, ANY)
        this.#write(' : ')
        return this.#code(code.no, ANY)
      case 'assign':
        this.#code(code.target, CALL)
        this.#write(` ${code.operator} `)
        return this.#code(code.value, ANY)
      case 'arrow':
        return this.#arrow(code)
    }
  }

  /** Writes the expression before a member, an index or arguments. */
  #base(code: Code, optional: boolean): void {
    this.#code(code, baseLevel(code, optional))
  }

  #binary({ operator, left, right }: Extract<Code, { kind: 'binary' }>): void {
    this.#code(left, leftLevel(operator, left))
    this.#write(` ${operator} `)
    this.#code(right, rightLevel(operator, right))
  }

  #template(parts: readonly (string | Code)[]): void {
    this.#write('`')
    for (const part of parts) {
      if (typeof part !== 'string') {
        this.#write('${')
        this.#code(part, ANY)
        this.#write('}')
        continue
      }
      // Line feeds are not escaped, so that the code reads like the template.
      const [first = '', ...rest] = templateText(part).split('\n')
      this.#write(first)
      for (const line of rest) {
        this.#newLine()
        this.#write(line)
      }
    }
    this.#write('`')
  }

  #items(items: readonly Code[], open: string, close: string): void {
    this.#write(open)
    let at = 0
    for (const item of items) {
      if (at++ > 0) this.#write(', ')
      this.#code(item, ANY)
    }
    this.#write(close)
  }

  #list({ items, lines }: Extract<Code, { kind: 'list' }>): void {
    if (!lines || items.length === 0) return this.#items(items, '[', ']')
    this.#braces(() => {
      for (const item of items) {
        this.#feed()
        this.#code(item, ANY)
        this.#write(',')
      }
    }, ['[', ']'])
  }

  #object({ entries, lines }: Extract<Code, { kind: 'object' }>): void {
    if (entries.length === 0) {
      this.#write('{}')
      return
    }
    if (lines)
      return this.#braces(() => {
        for (const entry of entries) {
          this.#feed()
          this.#entry(entry)
          this.#write(',')
        }
      })
    this.#write('{ ')
    let at = 0
    for (const entry of entries) {
      if (at++ > 0) this.#write(', ')
      this.#entry(entry)
    }
    this.#write(' }')
  }

  #entry(entry: Entry): void {
    if (entry.kind === 'spread') {
      this.#write('...')
      return this.#code(entry.value, ANY)
    }
    const { key, value } = entry
    if (entry.kind === 'getter') {
      this.#write(`get ${keyText(key)}() { return `)
      this.#code(value, ANY)
      this.#write(' }')
      return
    }
    // A property with this name is clearer with an explicit key.
    if (value.kind !== 'name' || value.name !== key || key === '__proto__') this.#write(`${keyText(key)}: `)
    this.#code(value, ANY)
  }

  #arrow({ async, parameters, body }: Extract<Code, { kind: 'arrow' }>): void {
    if (async) this.#write('async ')
    this.#parameters(parameters)
    this.#write(' => ')
    if (!('kind' in body)) return this.#body(body)
    if (firstCharacter(body) === '{') this.#parenthesized(body, false)
    else this.#code(body, ANY)
  }
}

function typeText(type: TypeCode): string {
  switch (type.kind) {
    case 'named':
      return type.of.length === 0 ? type.name : `${type.name}<${type.of.map(typeText).join(', ')}>`
    case 'union':
      return type.of.map(typeText).join(' | ')
    case 'list':
      return `readonly ${type.of.kind === 'named' ? typeText(type.of) : `(${typeText(type.of)})`}[]`
  }
}
