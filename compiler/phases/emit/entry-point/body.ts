/** Collects the statements of one body. Consecutive printed parts become one statement. */
import {
  append,
  assign,
  invoke,
  type Code,
  ident,
  placed,
  type Statement,
  string,
  template,
  typeNamed,
  type Variable,
  variable,
} from '../../../core/model/code.ts'
import type { ValueType } from '../../../core/model/value-type.ts'
import type { Span } from '../../../core/source/span.ts'
import { valueOf } from '../value-types.ts'

/** Texts of at least this length are copied as bytes. Shorter ones are cheaper as part of a string. */
export const LONG_TEXT = 512

/** A variable that collects printed text. It is declared with the first text. */
export class TextVariable {
  readonly name: string
  /** The statement that declares it; null if there is none yet, or if it is declared elsewhere. */
  declaration: Statement | null = null
  isDeclared: boolean
  /** Whether text is appended after its declaration. */
  isChanged = false

  constructor(name: string, isDeclared = false) {
    this.name = name
    this.isDeclared = isDeclared
  }

  /** Returns the statement that appends text, or that declares the variable with its first text. */
  append(text: Code): Statement {
    if (this.isDeclared) {
      this.isChanged = true
      return append(ident(this.name), text)
    }
    this.isDeclared = true
    // In a loop, TypeScript cannot infer what depends on a later assignment.
    const type = CALLS.has(text.kind) ? STRING : null
    return (this.declaration = variable(this.name, asText(text), null, type))
  }

  /** Returns the statements with its declaration as a constant, if nothing is appended to it. */
  withConstant(statements: readonly Statement[]): readonly Statement[] {
    const { declaration } = this
    if (declaration?.kind !== 'declare' || this.isChanged) return statements
    // For a literal, TypeScript would infer a type that is equal to no other text. The text of the function itself is never compared.
    const isLiteral = ({ value }: Variable) => value?.kind === 'string' && this.name !== 'out'
    const variables = declaration.variables.map((each) => (isLiteral(each) ? { ...each, type: STRING } : each))
    return statements.map((each) => (each === declaration ? { ...declaration, keyword: 'const', variables } : each))
  }

  /** Returns the statements without its declaration, which must come before a labelled block. */
  withoutDeclaration(statements: readonly Statement[]): readonly Statement[] {
    const { declaration } = this
    const [declared] = declaration?.kind === 'declare' ? declaration.variables : []
    if (declared?.value === undefined) return statements
    const first = append(ident(this.name), declared.value)
    return statements.map((each) => (each === declaration ? first : each))
  }
}

const STRING = typeNamed('string')

const CALLS: ReadonlySet<Code['kind']> = new Set(['call', 'await', 'choice'] as const)

/** The kinds of values other than texts that are appended to texts without a conversion. */
const APPENDED_AS_IS: ReadonlySet<ValueType['kind']> = new Set(['count', 'integer', 'boolean'])

/** Returns the code as a value that TypeScript knows to be a text. An element of a list may be missing for TypeScript. */
function asText(code: Code): Code {
  return code.kind === 'element' || APPENDED_AS_IS.has(valueOf(code).kind) ? template([code]) : code
}

export class Body {
  /** The variable that printed text is appended to; null if the text is discarded. */
  readonly target: TextVariable | null
  /** For a function that prints to a sink: returns the constant with the bytes of a text. */
  readonly bytes: ((text: string) => Code) | null
  readonly #statements: Statement[] = []
  #parts: (string | Code)[] = []

  constructor(target: TextVariable | null, bytes: Body['bytes'] = null) {
    this.target = target
    this.bytes = bytes
  }

  /** All statements, including the pending output. */
  get statements(): readonly Statement[] {
    this.flush()
    return this.#statements
  }

  /** Appends text to the pending output. */
  text(text: string): void {
    if (text === '' || this.target === null) return
    const last = this.#parts.at(-1)
    if (typeof last === 'string') this.#parts[this.#parts.length - 1] = last + text
    else this.#parts.push(text)
  }

  /** Appends the value of `code`, a string, to the pending output. */
  print(code: Code, span: Span): void {
    if (this.target !== null) this.#parts.push(placed(code, span))
  }

  add(...statements: readonly Statement[]): void {
    this.flush()
    for (const statement of statements) this.#statements.push(statement)
  }

  /** Converts the pending output to statements: one, or more if long texts go to the sink as bytes. */
  flush(): void {
    const parts = this.#parts
    if (parts.length === 0) return
    this.#parts = []
    if (this.bytes === null || this.target?.name !== OUT_NAME) return this.#append(parts)
    let from = 0
    for (const [at, part] of parts.entries()) {
      if (typeof part !== 'string' || part.length < LONG_TEXT) continue
      this.#append(parts.slice(from, at))
      const textEnd = invoke(ident('writeText'), SINK, OUT, WRITTEN)
      this.#statements.push(assign(WRITTEN, invoke(ident('writeBytes'), SINK, this.bytes(part), textEnd)), EMPTY_OUT)
      from = at + 1
    }
    this.#append(parts.slice(from))
  }

  /** Declares the variable for the text, because the following statements may use it. */
  declare(): void {
    this.flush()
    if (this.target?.isDeclared === false) this.#statements.push(this.target.append(string('')))
  }

  /** Returns the whole text, to be used instead of its variable if possible. */
  takeText(): Code {
    const { target } = this
    if (target?.isDeclared !== false) return target === null ? string('') : ident(target.name)
    const parts = this.#parts
    this.#parts = []
    return asText(textOf(parts) ?? string(''))
  }

  #append(parts: readonly (string | Code)[]): void {
    const value = textOf(parts)
    if (value !== null && this.target !== null) this.#statements.push(this.target.append(value))
  }
}

/** Returns the code of consecutive parts of printed text; null if there are none. */
function textOf(parts: readonly (string | Code)[]): Code | null {
  const [only] = parts
  if (only === undefined) return null
  if (parts.length > 1) return template(parts)
  if (typeof only !== 'string') return only
  return only.split('\n', 3).length < 3 ? string(only) : template(parts)
}

const OUT_NAME = 'out'

/** The local with the text of an entry point, and the parameters of a function that prints to a sink. */
export const OUT = ident(OUT_NAME)
export const SINK = ident('sink')
export const WRITTEN = ident('written')
/** The statement `out = ''`, which follows after the text of `out` is written to the sink. */
export const EMPTY_OUT = assign(OUT, string(''))
