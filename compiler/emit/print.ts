/** Prints emitted code as TypeScript, or without its types as JavaScript, and says where the places of templates stand in it. */
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
} from '../model/code.ts'
import type { Span } from '../source/span.ts'
import { isIdentifier, keyText, numberText, quoted, templateText } from './literals.ts'
import { ANY, baseLevel, CALLED, CHOICE, leftLevel, level, opening, rightLevel, UNARY } from './precedence.ts'

export type Language = 'typescript' | 'javascript'

/** A printed place (0-based line and column) and the template's place that it comes from: null where what follows comes from none. */
export interface Mark {
  readonly line: number
  readonly column: number
  readonly span: Span | null
}

export interface Printed {
  /** Ends without a line feed. */
  readonly text: string
  readonly marks: readonly Mark[]
}

export function print(statements: readonly Statement[], language: Language): Printed {
  return new Printer(language).print(statements)
}

class Printer {
  readonly #typed: boolean
  readonly #lines: string[] = []
  readonly #marks: Mark[] = []
  /** The line that is being written. */
  #line = ''
  #indent = ''

  constructor(language: Language) {
    this.#typed = language === 'typescript'
  }

  print(statements: readonly Statement[]): Printed {
    for (const [at, statement] of statements.entries()) {
      if (at > 0) this.#feed()
      this.#statement(statement, at)
    }
    this.#lines.push(this.#line)
    return { text: this.#lines.join('\n'), marks: this.#marks }
  }

  // ---- lines ----------------------------------------------------------------------------------------------------------

  #feed(): void {
    this.#lines.push(this.#line)
    this.#line = this.#indent
  }

  #mark(origin: Origin): void {
    const span = origin === NOWHERE ? null : origin
    this.#marks.push({ line: this.#lines.length, column: this.#line.length, span })
  }

  /** Writes `{`, lines that are one step further in, and `}`. */
  #braces(lines: () => void, [open, close] = ['{', '}']): void {
    const outer = this.#indent
    this.#line += open
    this.#indent = `${outer}  `
    lines()
    this.#indent = outer
    this.#feed()
    this.#line += close
  }

  #body(statements: readonly Statement[]): void {
    this.#braces(() => {
      for (const [at, statement] of statements.entries()) {
        this.#feed()
        this.#statement(statement, at)
      }
    })
  }

  // ---- statements -----------------------------------------------------------------------------------------------------

  /** @param at how many statements stand before it in the same body */
  #statement(statement: Statement, at: number): void {
    if ('span' in statement && statement.span !== null) this.#mark(statement.span)
    switch (statement.kind) {
      case 'run':
        return this.#run(statement.code, at)
      case 'declare':
        this.#line += `${statement.exported ? 'export ' : ''}${statement.how} `
        return this.#variables(statement.variables)
      case 'take':
        this.#line += `const { ${statement.names.join(', ')} } = `
        return this.#code(statement.from, ANY)
      case 'return':
        this.#line += 'return'
        if (statement.value === null) return
        this.#line += ' '
        return this.#code(statement.value, ANY)
      case 'break':
      case 'continue':
        this.#line += statement.label === null ? statement.kind : `${statement.kind} ${statement.label}`
        return
      case 'if':
        return this.#if(statement)
      case 'for':
        this.#line += 'for (let '
        this.#variables(statement.variables)
        this.#line += '; '
        this.#code(statement.test, ANY)
        this.#line += '; '
        this.#code(statement.step, ANY)
        this.#line += ') '
        return this.#body(statement.body)
      case 'for-of':
        this.#line += `for (const ${statement.name} of `
        this.#code(statement.of, ANY)
        this.#line += ') '
        return this.#body(statement.body)
      case 'label':
        this.#line += `${statement.label}: `
        return this.#body(statement.body)
      case 'try':
        this.#line += 'try '
        this.#body(statement.body)
        this.#handler(`catch (${statement.error})`, statement.handler)
        if (statement.last !== null) this.#handler('finally', statement.last)
        return
      case 'function':
        return this.#function(statement)
      case 'import':
        this.#line += `import { ${[...statement.types.map((type) => `type ${type}`), ...statement.names].join(', ')} } from ${quoted(statement.from)}`
        return
      case 'export':
        this.#line += `export { ${statement.names.join(', ')} }`
        return
      case 'export-default':
        this.#line += 'export default '
        return this.#code(statement.value, ANY)
      case 'comment':
        this.#line += `// ${statement.text}`
        return
      case 'blank':
        this.#line = ''
        return
    }
  }

  /** An expression. Lines end without semicolons, so one that could go on with the line before gets one in front. */
  #run(code: Code, at: number): void {
    const first = opening(code)
    if (first === '{') return this.#parenthesized(code, at > 0)
    if (at > 0 && first !== null) this.#line += ';'
    this.#code(code, ANY)
  }

  #parenthesized(code: Code, joins: boolean): void {
    this.#line += joins ? ';(' : '('
    this.#code(code, ANY)
    this.#line += ')'
  }

  #if({ branches }: Extract<Statement, { kind: 'if' }>): void {
    for (const [at, { test, body, span }] of branches.entries()) {
      if (at > 0) this.#line += ' '
      if (span !== null) this.#mark(span)
      if (at > 0) this.#line += 'else '
      if (test !== null) {
        this.#line += 'if ('
        this.#code(test, ANY)
        this.#line += ') '
      }
      if ('kind' in body) this.#statement(body, 0)
      else this.#body(body)
    }
  }

  #handler(head: string, { body, span }: Handler): void {
    this.#line += ' '
    if (span !== null) this.#mark(span)
    this.#line += `${head} `
    this.#body(body)
  }

  #function({ name, async, parameters, result, body, exported }: Extract<Statement, { kind: 'function' }>): void {
    const before = exported === undefined ? '' : exported === 'default' ? 'export default ' : 'export '
    this.#line += `${before}${async ? 'async ' : ''}function ${name}`
    this.#parameters(parameters)
    this.#type(result)
    this.#line += ' '
    this.#body(body)
  }

  #variables(variables: readonly Variable[]): void {
    for (const [at, { name, type, value }] of variables.entries()) {
      this.#line += at === 0 ? name : `, ${name}`
      this.#type(type)
      if (value === undefined) continue
      this.#line += ' = '
      this.#code(value, ANY)
    }
  }

  #parameters(parameters: readonly Parameter[]): void {
    this.#line += '('
    for (const [at, { name, type, rest }] of parameters.entries()) {
      this.#line += `${at === 0 ? '' : ', '}${rest ? '...' : ''}${name}`
      this.#type(type)
    }
    this.#line += ')'
  }

  #type(type: TypeCode | null): void {
    if (this.#typed && type !== null) this.#line += `: ${typeText(type)}`
  }

  // ---- expressions ----------------------------------------------------------------------------------------------------

  /** An expression in a place that asks for parts which hold together as `least` says. */
  #code(code: Code, least: number): void {
    if (level(code) < least) {
      this.#line += '('
      this.#bare(code)
      this.#line += ')'
    } else this.#bare(code)
  }

  #bare(code: Code): void {
    if (code.span !== undefined) this.#mark(code.span)
    switch (code.kind) {
      case 'name':
        this.#line += code.name
        return
      case 'null':
      case 'undefined':
        this.#line += code.kind
        return
      case 'boolean':
        this.#line += String(code.value)
        return
      case 'number':
        this.#line += numberText(code.value)
        return
      case 'string':
        this.#line += quoted(code.value)
        return
      case 'template':
        return this.#template(code.parts)
      case 'list':
        return this.#list(code)
      case 'object':
        return this.#object(code)
      case 'member':
        this.#base(code.object, code.optional)
        if (isIdentifier(code.name)) this.#line += `${code.optional ? '?.' : '.'}${code.name}`
        else this.#line += `${code.optional ? '?.' : ''}[${quoted(code.name)}]`
        return
      case 'element':
        this.#base(code.object, false)
        this.#line += '['
        this.#code(code.index, ANY)
        this.#line += ']'
        return
      case 'new':
      case 'call':
        if (code.kind === 'new') this.#line += 'new '
        this.#base(code.callee, false)
        return this.#items(code.arguments, '(', ')')
      case 'spread':
        this.#line += '...'
        return this.#code(code.value, ANY)
      case 'not':
        this.#line += '!'
        return this.#code(code.value, UNARY)
      case 'await':
        this.#line += 'await '
        return this.#code(code.value, UNARY)
      case 'increment':
        if (code.prefix) this.#line += '++'
        this.#code(code.target, CALLED)
        if (!code.prefix) this.#line += '++'
        return
      case 'binary':
        return this.#binary(code)
      case 'choice':
        this.#code(code.test, CHOICE + 1)
        this.#line += ' ? '
        this.#code(code.yes, ANY)
        this.#line += ' : '
        return this.#code(code.no, ANY)
      case 'assign':
        this.#code(code.target, CALLED)
        this.#line += ` ${code.operator} `
        return this.#code(code.value, ANY)
      case 'arrow':
        return this.#arrow(code)
    }
  }

  /** What a member, an index or arguments follow. */
  #base(code: Code, optional: boolean): void {
    this.#code(code, baseLevel(code, optional))
  }

  #binary({ operator, left, right }: Extract<Code, { kind: 'binary' }>): void {
    this.#code(left, leftLevel(operator, left))
    this.#line += ` ${operator} `
    this.#code(right, rightLevel(operator, right))
  }

  #template(parts: readonly (string | Code)[]): void {
    this.#line += '`'
    for (const part of parts) {
      if (typeof part !== 'string') {
        this.#line += '${'
        this.#code(part, ANY)
        this.#line += '}'
        continue
      }
      // Line feeds stand as they are, so that what is printed reads like the template.
      const [first = '', ...rest] = templateText(part).split('\n')
      this.#line += first
      for (const line of rest) {
        this.#lines.push(this.#line)
        this.#line = line
      }
    }
    this.#line += '`'
  }

  #items(items: readonly Code[], open: string, close: string): void {
    this.#line += open
    for (const [at, item] of items.entries()) {
      if (at > 0) this.#line += ', '
      this.#code(item, ANY)
    }
    this.#line += close
  }

  #list({ items, lines }: Extract<Code, { kind: 'list' }>): void {
    if (!lines || items.length === 0) return this.#items(items, '[', ']')
    this.#braces(() => {
      for (const item of items) {
        this.#feed()
        this.#code(item, ANY)
        this.#line += ','
      }
    }, ['[', ']'])
  }

  #object({ entries, lines }: Extract<Code, { kind: 'object' }>): void {
    if (entries.length === 0) {
      this.#line += '{}'
      return
    }
    if (lines)
      return this.#braces(() => {
        for (const entry of entries) {
          this.#feed()
          this.#entry(entry)
          this.#line += ','
        }
      })
    this.#line += '{ '
    for (const [at, entry] of entries.entries()) {
      if (at > 0) this.#line += ', '
      this.#entry(entry)
    }
    this.#line += ' }'
  }

  #entry(entry: Entry): void {
    if (entry.kind === 'spread') {
      this.#line += '...'
      return this.#code(entry.value, ANY)
    }
    const { key, value } = entry
    if (entry.kind === 'getter') {
      this.#line += `get ${keyText(key)}() { return `
      this.#code(value, ANY)
      this.#line += ' }'
      return
    }
    // An own property of this name is clearest with its key.
    if (value.kind !== 'name' || value.name !== key || key === '__proto__') this.#line += `${keyText(key)}: `
    this.#code(value, ANY)
  }

  #arrow({ async, parameters, body }: Extract<Code, { kind: 'arrow' }>): void {
    if (async) this.#line += 'async '
    this.#parameters(parameters)
    this.#line += ' => '
    if (!('kind' in body)) return this.#body(body)
    if (opening(body) === '{') this.#parenthesized(body, false)
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
