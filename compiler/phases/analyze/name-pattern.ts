/** Derives patterns for computed partial names from the constant parts of the assigned texts. */
import type { Expression } from '../../core/tree/ast.ts'
import { childrenOf } from '../../core/tree/expressions.ts'
import type { NamePattern } from '../../core/model/outline.ts'

/** Returns the pattern of possible values; null if nothing is known about the value. */
export function derivePattern(expression: Expression): NamePattern | null {
  switch (expression.kind) {
    case 'literal':
      if (expression.value.type !== 'string') return null
      return { prefix: expression.value.value, suffix: '', exact: true }
    case 'interpolation': {
      const { parts } = expression
      const first = parts[0]
      const last = parts.at(-1)
      return patternWithEnds(
        typeof first === 'string' ? first : '',
        typeof last === 'string' && parts.length > 1 ? last : '',
      )
    }
    case 'filtered': {
      let pattern = derivePattern(expression.input)
      for (const filter of expression.filters) {
        const [argument] = filter.positional
        const appendedPattern = argument === undefined ? null : derivePattern(argument)
        if (filter.name.name === 'append') {
          if (pattern?.exact && appendedPattern?.exact)
            pattern = { ...pattern, prefix: pattern.prefix + appendedPattern.prefix }
          else
            pattern = patternWithEnds(
              pattern?.prefix ?? '',
              appendedPattern?.exact
                ? (pattern !== null && !pattern.exact ? pattern.suffix : '') + appendedPattern.prefix
                : '',
            )
        } else if (filter.name.name === 'prepend') {
          if (pattern?.exact && appendedPattern?.exact)
            pattern = { ...pattern, prefix: appendedPattern.prefix + pattern.prefix }
          else
            pattern = patternWithEnds(
              appendedPattern?.exact
                ? appendedPattern.prefix + (pattern !== null && !pattern.exact ? pattern.prefix : '')
                : '',
              pattern === null ? '' : pattern.exact ? pattern.prefix : pattern.suffix,
            )
        } else return null
      }
      return pattern
    }
    default:
      return null
  }
}

/** Returns true if the expression cannot fail. If an expression fails, the variable keeps its old value. */
export function isSureName(expression: Expression): boolean {
  const { kind } = expression
  if (kind === 'filtered') {
    const joinsTexts = expression.filters.every(
      ({ name, positional, named }) =>
        (name.name === 'append' || name.name === 'prepend') && positional.length === 1 && named.length === 0,
    )
    if (!joinsTexts) return false
  } else if (kind !== 'literal' && kind !== 'lookup' && kind !== 'interpolation') return false
  return childrenOf(expression).every(isSureName)
}

function patternWithEnds(prefix: string, suffix: string): NamePattern | null {
  return prefix === '' && suffix === '' ? null : { prefix, suffix, exact: false }
}
