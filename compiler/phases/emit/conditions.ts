/** Converts conditions and comparisons of templates to TypeScript. */
import type { Comparison, Expression } from '../../core/tree/ast.ts'
import { binary, boolean, invoke, type Code, FALSE, method, not, string, TRUE, typed } from '../../core/model/code.ts'
import { BOOLEAN_VALUE, isNumberValue } from '../../core/model/value-type.ts'
import type { Resolver } from './resolver.ts'
import { areIdentical } from './value-rules.ts'
import { valueOf } from './value-types.ts'

export class Conditions {
  readonly #resolver: Resolver
  readonly #value: (expression: Expression) => Code

  /** @param value returns the code of an expression */
  constructor(resolver: Resolver, value: (expression: Expression) => Code) {
    this.#resolver = resolver
    this.#value = value
  }

  condition(expression: Expression): Code {
    switch (expression.kind) {
      case 'filtered':
        if (expression.filters.length === 0) return this.condition(expression.input)
        break
      case 'literal':
        return boolean(
          !(expression.value.type === 'nil' || (expression.value.type === 'boolean' && !expression.value.value)),
        )
      case 'logical': {
        const left = this.condition(expression.left)
        const right = this.condition(expression.right)
        return binary(left, expression.operator === 'and' ? '&&' : '||', right)
      }
      case 'comparison':
        return this.#comparison(expression)
      case 'hash':
      case 'array':
      case 'interpolation':
      case 'range':
        return TRUE
    }
    return this.#truthyCode(this.#value(expression))
  }

  /** Returns the code of a value as a condition. Nil and false are false; all other values are true. */
  #truthyCode(code: Code): Code {
    const type = valueOf(code)
    if (type.kind === 'boolean') return code
    if (code.kind === 'null' || code.kind === 'undefined') return FALSE
    return typed(invoke(this.#resolver.use('truthy'), code), BOOLEAN_VALUE)
  }

  #comparison({ operator, left, right }: Comparison): Code {
    if (typeof operator !== 'string')
      return invoke(this.#resolver.use('refuse'), string(`Unknown operator ${operator.unknown}`))
    if (operator === '==' || operator === '!=') {
      const equal = this.equal(left, () => this.#value(left), right)
      return operator === '==' ? equal : not(equal)
    }
    if (operator === 'contains') {
      const [whole, part] = [this.#value(left), this.#value(right)]
      const areTexts = valueOf(whole).kind === 'text' && valueOf(part).kind === 'text'
      this.#resolver.count('comparison', areTexts)
      return typed(invoke(this.#resolver.use('contains'), whole, part), BOOLEAN_VALUE)
    }
    // An order comparison with `empty` or `blank` is false.
    if (specialWord(left) !== null || specialWord(right) !== null) return FALSE
    const [a, b] = [this.#value(left), this.#value(right)]
    this.#resolver.count('comparison', isNumberValue(valueOf(a)) && isNumberValue(valueOf(b)))
    if (valueOf(a).kind === 'count' && valueOf(b).kind === 'count') return typed(binary(a, operator, b), BOOLEAN_VALUE)
    const name = { '<': 'lt', '>': 'gt', '<=': 'le', '>=': 'ge' }[operator]
    return typed(invoke(this.#resolver.use(name), a, b), BOOLEAN_VALUE)
  }

  /** Returns the code that checks whether a value is blank or empty. */
  #isNothing(word: 'blank' | 'empty', code: Code): Code {
    const type = valueOf(code)
    const isNumber = isNumberValue(type)
    this.#resolver.count('comparison', isNumber || type.kind === 'text')
    if (isNumber) return FALSE
    if (code.kind === 'string') return boolean((word === 'blank' ? code.value.trim() : code.value) === '')
    if (type.kind !== 'text' || (word === 'empty' && !this.#resolver.isComparable(code, string(''))))
      return typed(invoke(this.#resolver.use(word === 'blank' ? 'eqBlank' : 'eqEmpty'), code), BOOLEAN_VALUE)
    return typed(binary(word === 'blank' ? method(code, 'trim') : code, '===', string('')), BOOLEAN_VALUE)
  }

  /** Returns `left == right`. `code`: returns the left side, which may be stored in a local. */
  equal(left: Expression, code: () => Code, right: Expression): Code {
    const [a, b] = [specialWord(left), specialWord(right)]
    // `blank` and `empty` are never equal to themselves or to each other.
    if (a !== null && b !== null) return FALSE
    if (b !== null) return this.#isNothing(b, code())
    if (a !== null) return this.#isNothing(a, this.#value(right))
    const [one, other] = [code(), this.#value(right)]
    const isIdentical = areIdentical(valueOf(one), valueOf(other)) && !isNarrowed(one) && !isNarrowed(other)
    this.#resolver.count('comparison', isIdentical)
    if (one.kind === 'string' && other.kind === 'string') return boolean(one.value === other.value)
    if (one.kind === 'number' && other.kind === 'number') return boolean(one.value === other.value)
    if (isIdentical && this.#resolver.isComparable(one, other)) return typed(binary(one, '===', other), BOOLEAN_VALUE)
    return typed(this.#equalUnknown(one, other), BOOLEAN_VALUE)
  }

  /** Returns the comparison of values with at most one known type. The operands are evaluated in order. */
  #equalUnknown(one: Code, other: Code): Code {
    if (valueOf(other).kind === 'text') return invoke(this.#resolver.use('eqText'), one, other)
    if (one.kind === 'string' || (valueOf(one).kind === 'text' && other.kind === 'name'))
      return invoke(this.#resolver.use('eqText'), other, one)
    return invoke(this.#resolver.use('eq'), one, other)
  }
}

function specialWord(expression: Expression): 'blank' | 'empty' | null {
  const inner = expression.kind === 'filtered' && expression.filters.length === 0 ? expression.input : expression
  if (inner.kind !== 'literal') return null
  return inner.value.type === 'blank' || inner.value.type === 'empty' ? inner.value.type : null
}

/**
 * Returns whether TypeScript may narrow a variable to nil here because of an assignment before. It then rejects a comparison with a text.
 */
function isNarrowed(code: Code): boolean {
  return code.kind === 'name' && valueOf(code).kind === 'optional'
}
