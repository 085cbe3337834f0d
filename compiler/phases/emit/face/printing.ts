/** What a face prints: values as text, escaped for the place in the page where they stand. */
import type { Expression } from '../../../core/model/ast.ts'
import {
  binary,
  invoke,
  type Code,
  constant,
  member,
  ident,
  run,
  type Statement,
  string,
  template,
  typed,
} from '../../../core/model/code.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Expressions } from '../expression.ts'
import { TEXT_VALUE } from '../../../core/model/value-type.ts'
import { valueOf } from '../value-types.ts'
import { inAttribute } from '../html-context.ts'
import type { Draft } from './draft.ts'
import type { Faults } from './faults.ts'
import type { FaceInput } from './input.ts'

function orEmpty(code: Code): Code {
  return typed(binary(code, '??', string('')), TEXT_VALUE)
}

export class Printing {
  readonly #input: FaceInput
  readonly #draft: Draft
  readonly #faults: Faults
  readonly #expressions: Expressions
  /** Methods of the render that the function keeps in locals. */
  readonly #escapes = new Set<'escape' | 'escapeAttribute'>()

  constructor(input: FaceInput, draft: Draft, faults: Faults, expressions: Expressions) {
    this.#input = input
    this.#draft = draft
    this.#faults = faults
    this.#expressions = expressions
  }

  /** What the function's head declares for its output. */
  get head(): readonly Statement[] {
    return [...this.#escapes].map((escape) => constant(`${escape}Text`, member(ident('r'), escape)))
  }

  /** Prints what `code` gives, a string that needs no escaping. */
  print(code: Code, span: Span): void {
    const draft = this.#draft
    if (draft.target === null) return draft.add(run(code, span))
    // What stands before a call that fails is printed.
    if (this.#faults.keeping) draft.flush()
    draft.print(code, span)
  }

  /** Prints a value as `{{ }}` does. */
  output(expression: Expression, span: Span): void {
    const value = expression.kind === 'filtered' && expression.filters.length === 0 ? expression.input : expression
    if (this.#draft.target === null) {
      if (this.#expressions.fallible(value))
        this.#faults.guard(true, span, () => this.#draft.add(run(this.#expressions.value(value), span)))
      return
    }
    const code = this.printed(value)
    if (code.kind === 'string') return this.#draft.text(code.value)
    const guarded = this.#faults.guarding && this.#expressions.fallible(value)
    this.#faults.guard(guarded, span, () => this.#draft.print(code, span))
  }

  /** The text that a value prints as. */
  text(expression: Expression): Code {
    const code = this.printed(expression)
    const { kind } = valueOf(code)
    return kind === 'count' || kind === 'integer' || kind === 'boolean' ? template([code]) : code
  }

  /** What a value prints as: its text, or what prints alike in a text. */
  printed(expression: Expression): Code {
    if (expression.kind === 'literal') {
      const { value } = expression
      if (value.type === 'nil' || value.type === 'blank' || value.type === 'empty') return string('')
      if (value.type === 'boolean' || value.type === 'integer') return string(String(value.value))
    }
    const code = this.#expressions.value(expression)
    const type = valueOf(code)
    switch (type.kind) {
      // Digits need no escaping, and print alike everywhere.
      case 'count':
      case 'integer':
      case 'boolean':
        return code
      case 'number':
        return invoke(this.#input.imports.use('numberText'), code)
      case 'text':
        if (this.#input.context.site.config.sanitizeOutput) return invoke(this.#escape(), code)
        return type.markup ? this.#escapedText(code) : code
      case 'optional':
        // nil prints nothing.
        if (type.of.kind !== 'text' || this.#input.context.site.config.sanitizeOutput) break
        return type.of.markup ? this.#escapedText(orEmpty(code)) : orEmpty(code)
    }
    return invoke(this.#escape(), code)
  }

  /** A JavaScript string, escaped for the place. */
  #escapedText(code: Code): Code {
    const { context, effects, imports } = this.#input
    if (context.site.dialect === 'liquid' || (effects.formats.size === 1 && effects.formats.has('plain'))) return code
    return invoke(effects.formats.has('plain') ? this.#escape() : imports.use('escapeHtml'), code)
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
    const escape = attribute ? 'escapeAttribute' : 'escape'
    this.#escapes.add(escape)
    return ident(`${escape}Text`)
  }
}
