/** Prints emitted code as TypeScript, or as JavaScript without types, and maps its places to the templates. */
import type {
  Code,
  Entry,
  FunctionStatement,
  Handler,
  Origin,
  Parameter,
  Statement,
  TypeCode,
  Variable,
} from '../../core/model/code.ts'
import type { CodeLanguage, Printed } from '../../core/model/printed.ts'
import { BRACES, CodeWriter, MAX_LINE, ROUND, SQUARE } from './code-writer.ts'
import { typeParametersText, typeText } from './type-text.ts'
import { isIdentifier, keyText, numberText, quoted, templateText } from './literals.ts'
import { ANY, baseLevel, CALL, CHOICE, leftLevel, level, firstCharacter, rightLevel, UNARY } from './precedence.ts'

/** Prints statements. Adds the names in their expressions and types to `names`. */
export function print(
  statements: readonly Statement[],
  language: CodeLanguage,
  names: Set<string> = new Set(),
): Printed {
  return new Printer(language, names).print(statements)
}

class Printer {
  readonly #printsTypes: boolean
  readonly #writer: CodeWriter
  /** The names in the printed expressions and types. */
  readonly #usedNames: Set<string>

  constructor(language: CodeLanguage, names: Set<string>) {
    this.#printsTypes = language === 'typescript'
    // JavaScript is only for machines.
    this.#writer = new CodeWriter(this.#printsTypes ? MAX_LINE : Number.POSITIVE_INFINITY)
    this.#usedNames = names
  }

  print(statements: readonly Statement[]): Printed {
    let at = 0
    for (const statement of statements) {
      if (at > 0) this.#writer.feed()
      this.#statement(statement, at++)
    }
    return this.#writer.printed
  }

  #write(text: string): void {
    this.#writer.write(text)
  }

  #mark(origin: Origin): void {
    this.#writer.mark(origin)
  }

  #body(statements: readonly Statement[]): void {
    this.#writer.unbound(() =>
      this.#writer.braces(() => {
        let at = 0
        for (const statement of statements) {
          if (statement.kind === 'blank' || statement.kind === 'printed') this.#writer.newLine()
          else this.#writer.feed()
          this.#statement(statement, at++)
        }
      }),
    )
  }

  // ---- statements -----------------------------------------------------------------------------------------------------

  /** @param at the index of the statement in its body */
  #statement(statement: Statement, at: number): void {
    if ('span' in statement && statement.span !== null) this.#mark(statement.span)
    switch (statement.kind) {
      case 'run':
        return this.#run(statement.code, at)
      case 'declare':
        if (statement.exported) this.#writer.export()
        this.#write(`${statement.keyword} `)
        return this.#variables(statement.variables)
      case 'take':
        this.#write('const ')
        this.#names(statement.names, ' = ')
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
        this.#write('import ')
        this.#names(
          [...statement.types.map((type) => `type ${type}`), ...statement.names],
          ` from ${quoted(statement.from)}`,
        )
        return
      case 'export':
        this.#write('export ')
        return this.#names(statement.names)
      case 'export-default':
        this.#write('export default ')
        return this.#code(statement.value, ANY)
      case 'comment':
        this.#write(`// ${statement.text}`)
        return
      case 'blank':
        return
      case 'printed':
        return this.#writer.add(statement.printed)
    }
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
        // `) {` follows.
        this.#writer.withMargin(2, () => this.#code(test, ANY))
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

  #function({ doc = [], name, async, typeParameters, parameters, result, body, exported }: FunctionStatement): void {
    if (this.#printsTypes) this.#docstring(doc)
    if (exported !== undefined) this.#writer.export()
    this.#write(`${exported === 'default' ? 'default ' : ''}${async ? 'async ' : ''}function ${name}`)
    if (this.#printsTypes) this.#write(typeParametersText(typeParameters ?? [], this.#usedNames))
    const end = this.#printsTypes && result !== null ? `: ${typeText(result, this.#usedNames)} ` : ' '
    this.#parameters(parameters, end.length + 1)
    this.#write(end)
    this.#body(body)
  }

  /** Writes a docstring and begins the line after it. */
  #docstring(lines: readonly string[]): void {
    const [first, ...rest] = lines.map((line) => line.replaceAll('*/', '*\\/'))
    if (first === undefined) return
    if (rest.length === 0) this.#write(`/** ${first} */`)
    else {
      this.#write('/**')
      for (const line of [first, ...rest]) {
        this.#writer.feed()
        this.#write(` * ${line}`.trimEnd())
      }
      this.#writer.feed()
      this.#write(' */')
    }
    this.#writer.feed()
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

  /** Writes names in braces. `end`: the text after them, on the same line. */
  #names(names: readonly string[], end = ''): void {
    const write = (name: string) => this.#write(name)
    this.#writer.group(
      () => this.#write(`{ ${names.join(', ')} }${end}`),
      () => {
        this.#writer.lines(names, BRACES, write)
        this.#write(end)
      },
    )
  }

  #parameters(parameters: readonly Parameter[], reserve = 1): void {
    const write = ({ name, type, rest }: Parameter) => {
      this.#write(`${rest ? '...' : ''}${name}`)
      this.#type(type)
    }
    this.#writer.items(parameters, ROUND, write, reserve)
  }

  #type(type: TypeCode | null): void {
    if (this.#printsTypes && type !== null) this.#write(`: ${typeText(type, this.#usedNames)}`)
  }

  // ---- expressions ----------------------------------------------------------------------------------------------------

  /** Writes an expression, with parentheses if its precedence is lower than `minimumLevel`. */
  #code(code: Code, minimumLevel: number): void {
    if (level(code) < minimumLevel) {
      this.#write('(')
      this.#codeWithoutParentheses(code)
      this.#write(')')
    } else if (minimumLevel === ANY && (code.kind === 'template' || code.kind === 'string')) this.#text(code)
    else this.#codeWithoutParentheses(code)
  }

  #codeWithoutParentheses(code: Code): void {
    if (code.span !== undefined) this.#mark(code.span)
    switch (code.kind) {
      case 'name':
        this.#usedNames.add(code.name)
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
        return this.#writer.items(code.items, SQUARE, (item) => this.#code(item, ANY))
      case 'object':
        return this.#writer.items(code.entries, BRACES, (entry) => this.#entry(entry))
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
        return this.#arguments(code.arguments)
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
        return this.#choice(code)
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

  /** Writes arguments. The last one begins on the line of the call if it is the only object or function, and the others fit. */
  #arguments(args: readonly Code[]): void {
    const write = (argument: Code) => this.#code(argument, ANY)
    const last = args.at(-1)
    const others = args.slice(0, -1)
    const writeOthers = () => {
      this.#write('(')
      for (const argument of others) {
        write(argument)
        this.#write(', ')
      }
    }
    if (last?.kind === 'object' && last.entries.length > 0 && !others.some(({ kind }) => kind === 'object'))
      this.#writer.group(
        () => this.#writer.items(args, ROUND, write),
        () =>
          this.#writer.group(
            () => {
              writeOthers()
              this.#writer.unbound(() => this.#writer.lines(last.entries, BRACES, (entry) => this.#entry(entry)))
              this.#write(')')
            },
            () => this.#writer.lines(args, ROUND, write),
          ),
      )
    else if (last?.kind === 'arrow') {
      writeOthers()
      write(last)
      this.#write(')')
    } else this.#writer.items(args, ROUND, write)
  }

  #binary({ operator, left, right }: Extract<Code, { kind: 'binary' }>): void {
    this.#code(left, leftLevel(operator, left))
    const writeRight = () => this.#code(right, rightLevel(operator, right))
    this.#writer.group(
      () => {
        this.#write(` ${operator} `)
        writeRight()
      },
      () =>
        this.#writer.indented(() => {
          this.#write(` ${operator}`)
          this.#writer.feed()
          writeRight()
        }),
    )
  }

  #choice({ test, yes, no }: Extract<Code, { kind: 'choice' }>): void {
    this.#code(test, CHOICE + 1)
    const write = (separate: () => void) => {
      separate()
      this.#write('? ')
      this.#code(yes, ANY)
      separate()
      this.#write(': ')
      this.#code(no, ANY)
    }
    this.#writer.group(
      () => write(() => this.#write(' ')),
      () => this.#writer.indented(() => write(() => this.#writer.feed())),
    )
  }

  #template(parts: readonly (string | Code)[]): void {
    this.#write('`')
    for (const part of parts) {
      if (typeof part !== 'string') this.#substitution(part)
      else this.#textLines(part, (line) => this.#write(line))
    }
    this.#write('`')
  }

  #substitution(code: Code): void {
    this.#write('${')
    this.#code(code, ANY)
    this.#write('}')
  }

  /** Writes a text with its line feeds unescaped, so that the code reads like the template. */
  #textLines(text: string, write: (line: string) => void): void {
    const [first = '', ...rest] = templateText(text).split('\n')
    write(first)
    for (const line of rest) {
      this.#writer.newLine()
      write(line)
    }
  }

  /** Writes a text. One that does not fit into a line is continued on the next, after a backslash. */
  #text(code: Extract<Code, { kind: 'template' | 'string' }>): void {
    this.#writer.group(
      () => this.#codeWithoutParentheses(code),
      () => {
        if (code.span !== undefined) this.#mark(code.span)
        const write = (piece: () => void) => {
          const onNextLine = () => {
            this.#write('\\')
            this.#writer.newLine()
            piece()
          }
          this.#writer.group(piece, onNextLine)
        }
        const writeWords = (line: string) => {
          for (const word of line.split(WORDS).flatMap(piecesOf)) write(() => this.#write(word))
        }
        // A backslash follows each part on its line.
        this.#writer.withMargin(1, () => {
          this.#write('`')
          for (const part of code.kind === 'template' ? code.parts : [code.value]) {
            if (typeof part === 'string') this.#textLines(part, writeWords)
            else write(() => this.#substitution(part))
          }
          this.#write('`')
        })
      },
    )
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

/** Matches the places in a text where a line can end: after a space. */
const WORDS = /(?<= )/

/** Matches up to 100 characters of a text, with escape sequences as a whole. */
const PIECES = /(?:\\(?:u[\da-f]{4}|x[\da-f]{2}|.)|[^\\]){1,100}/giu

/** Returns a word in pieces that fit into a line. */
function piecesOf(word: string): readonly string[] {
  return word.length <= 100 ? [word] : (word.match(PIECES) ?? [word])
}
