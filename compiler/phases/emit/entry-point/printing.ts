/** Emits the output of an entry point: values as text, escaped for their place in the page. */
import type { Expression } from '../../../core/tree/ast.ts'
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
import { isInAttribute } from '../html-context.ts'
import type { Draft } from './draft.ts'
import type { Faults } from './faults.ts'
import type { EntryPointInput } from './input.ts'

function orEmpty(code: Code): Code {
  return typed(binary(code, '??', string('')), TEXT_VALUE)
}

export class Printing {
  readonly #input: EntryPointInput
  readonly #draft: Draft
  readonly #faults: Faults
  readonly #expressions: Expressions
  /** Methods of the render object that the function stores in locals. */
  readonly #escapes = new Set<'escape' | 'escapeAttribute'>()

  constructor(input: EntryPointInput, draft: Draft, faults: Faults, expressions: Expressions) {
    this.#input = input
    this.#draft = draft
    this.#faults = faults
    this.#expressions = expressions
  }

  /** The declarations at the start of the function that the output needs. */
  get head(): readonly Statement[] {
    return [...this.#escapes].map((escape) => constant(`${escape}Text`, member(ident('r'), escape)))
  }

  /** Prints the result of `code`, a string that needs no escaping. */
  print(code: Code, span: Span): void {
    const draft = this.#draft
    if (draft.target === null) return draft.add(run(code, span))
    // The text before a call must be printed even if the call fails.
    if (this.#faults.keepsText) draft.flush()
    draft.print(code, span)
  }

  /** Prints a value like `{{ }}`. */
  output(expression: Expression, span: Span): void {
    const value = expression.kind === 'filtered' && expression.filters.length === 0 ? expression.input : expression
    if (this.#draft.target === null) {
      if (this.#expressions.fallible(value))
        this.#faults.guard(true, span, () => this.#draft.add(run(this.#expressions.value(value), span)))
      return
    }
    const code = this.printedCode(value)
    if (code.kind === 'string') return this.#draft.text(code.value)
    const isFallible = (this.#faults.isGuarding || this.#faults.keepsText) && this.#expressions.fallible(value)
    if (isFallible && this.#faults.keepsText) this.#draft.flush()
    this.#faults.guard(isFallible, span, () => this.#draft.print(code, span))
  }

  /** Returns the code of the printed text of a value. */
  text(expression: Expression): Code {
    const code = this.printedCode(expression)
    const { kind } = valueOf(code)
    return kind === 'count' || kind === 'integer' || kind === 'boolean' ? template([code]) : code
  }

  /** Returns the code of the printed text of a value, or of a value that is equal to it inside a template literal. */
  printedCode(expression: Expression): Code {
    if (expression.kind === 'literal') {
      const { value } = expression
      if (value.type === 'nil' || value.type === 'blank' || value.type === 'empty') return string('')
      if (value.type === 'boolean' || value.type === 'integer') return string(String(value.value))
    }
    const code = this.#expressions.value(expression)
    const type = valueOf(code)
    switch (type.kind) {
      // These values need no escaping, and print the same in every format.
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
        if (type.inner.kind !== 'text' || this.#input.context.site.config.sanitizeOutput) break
        return type.inner.markup ? this.#escapedText(orEmpty(code)) : orEmpty(code)
    }
    return invoke(this.#escape(), code)
  }

  /** Returns the code that escapes a JavaScript string for its place. */
  #escapedText(code: Code): Code {
    const { context, effects, imports } = this.#input
    if (context.site.dialect === 'liquid' || (effects.formats.size === 1 && effects.formats.has('plain'))) return code
    return invoke(effects.formats.has('plain') ? this.#escape() : imports.use('escapeHtml'), code)
  }

  /** Returns the function that escapes a value at this place. */
  #escape(): Code {
    const { context, effects, imports } = this.#input
    if (context.site.dialect === 'liquid') return imports.use('liquidText')
    const isAttribute = isInAttribute(this.#draft.html)
    const { formats } = effects
    const onlyFormat = formats.size === 1 ? [...formats][0] : null
    if (onlyFormat === 'html') {
      if (context.site.config.sanitizeOutput) return imports.use(isAttribute ? 'cleanAttribute' : 'clean')
      return imports.use(isAttribute ? 'escAttribute' : 'esc')
    }
    if (onlyFormat === 'plain' || onlyFormat === 'xml') return imports.use(onlyFormat)
    // The format is known only at run time.
    const escape = isAttribute ? 'escapeAttribute' : 'escape'
    this.#escapes.add(escape)
    return ident(`${escape}Text`)
  }
}
