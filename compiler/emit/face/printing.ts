/** What a face prints: values as text, escaped for the place in the page where they stand. */
import type { Expression } from '../../model/ast.ts'
import type { Span } from '../../source/span.ts'
import type { Code } from '../../tags/tag.ts'
import type { Expressions } from '../expression.ts'
import { inAttribute } from '../html-context.ts'
import { quoted } from '../writer.ts'
import type { Draft } from './draft.ts'
import type { Faults } from './faults.ts'
import type { FaceInput } from './input.ts'
import type { Variables } from './variables.ts'

export class Printing {
  readonly #input: FaceInput
  readonly #draft: Draft
  readonly #faults: Faults
  readonly #variables: Variables
  readonly #expressions: Expressions
  /** Methods of the render that the function keeps in locals. */
  readonly #escapes = new Set<'escape' | 'escapeAttribute'>()

  constructor(input: FaceInput, draft: Draft, faults: Faults, variables: Variables, expressions: Expressions) {
    this.#input = input
    this.#draft = draft
    this.#faults = faults
    this.#variables = variables
    this.#expressions = expressions
  }

  /** What the function's head declares for its output. */
  get head(): readonly string[] {
    return [...this.#escapes].map((escape) => `const ${escape}Text = r.${escape}`)
  }

  /** Prints what `code` gives, a string that needs no escaping. */
  print(code: Code, span: Span): void {
    const { writer } = this.#draft
    if (writer.target === null) return writer.statement(code, span)
    // What stands before a call that fails is printed.
    if (this.#faults.keeping) writer.flush()
    writer.print(code, span)
  }

  /** Prints a value as `{{ }}` does. */
  output(expression: Expression, span: Span): void {
    const value = expression.kind === 'filtered' && expression.filters.length === 0 ? expression.input : expression
    const fallible = this.#expressions.fallible(value)
    if (this.#draft.target === null) {
      if (fallible) this.#faults.guard(true, span, () => this.#draft.statement(this.#expressions.value(value), span))
      return
    }
    const code = this.printed(value)
    const text = constantText(code)
    if (text !== null) return this.#draft.text(text)
    this.#faults.guard(fallible, span, () => this.#draft.writer.print(code, span))
  }

  /** The text that a value prints as. */
  printed(expression: Expression): Code {
    if (expression.kind === 'literal') {
      const { value } = expression
      if (value.type === 'nil' || value.type === 'blank' || value.type === 'empty') return "''"
      if (value.type === 'boolean' || value.type === 'integer') return quoted(String(value.value))
    }
    const code = this.#expressions.value(expression)
    return this.#isInteger(expression) ? code : `${this.#escape()}(${code})`
  }

  /** Whether a value is surely a small integer that our own code made: it needs no escaping. */
  #isInteger(expression: Expression): boolean {
    if (expression.kind === 'lookup' && expression.path.length === 1) {
      const [field] = expression.path
      const loop = this.#variables.loopNamed(expression.name?.name ?? '')
      return (
        loop !== null &&
        field?.kind === 'key' &&
        Object.hasOwn(loop.fields, field.name) &&
        field.name !== 'name' &&
        field.name !== 'parentloop' &&
        !/first|last/.test(field.name)
      )
    }
    if (expression.kind !== 'filtered') return false
    const last = expression.filters.at(-1)
    return last !== undefined && this.#input.context.filters.get(last.name.name)?.result.kind === 'integer'
  }

  /** The function that escapes a value here. */
  #escape(): Code {
    const { context, effects, imports } = this.#input
    if (context.site.dialect === 'liquid') return imports.use('liquidText')
    const attribute = inAttribute(this.#draft.html)
    const { formats } = effects
    const only = formats.size === 1 ? [...formats][0] : null
    if (only === 'html') {
      if (context.site.config.sanitizeOutput) return imports.use(attribute ? 'cleanAttribute' : 'clean')
      return imports.use(attribute ? 'escAttribute' : 'esc')
    }
    if (only === 'plain' || only === 'xml') return imports.use(only)
    // Which one it is, only the render knows.
    const name = attribute ? 'escapeAttribute' : 'escape'
    this.#escapes.add(name)
    return `${name}Text`
  }
}

/** The text of a printed literal, where the code is one. */
function constantText(code: Code): string | null {
  const literal = /^'((?:[^'\\]|\\.)*)'$/.exec(code)
  return literal !== null && !code.includes('\\') ? (literal[1] as string) : null
}
