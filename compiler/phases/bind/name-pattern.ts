/** What a computed partial name can look like: the constant ends of the texts that are assigned to it. */
import type { Expression } from '../../core/model/ast.ts'
import type { NamePattern } from '../../core/model/bound.ts'

/** Null when nothing is known of the value. */
export function namePattern(expression: Expression): NamePattern | null {
  switch (expression.kind) {
    case 'literal':
      if (expression.value.type !== 'string') return null
      return { prefix: expression.value.value, suffix: '', exact: true }
    case 'interpolation': {
      const { parts } = expression
      const first = parts[0]
      const last = parts.at(-1)
      return ends(typeof first === 'string' ? first : '', typeof last === 'string' && parts.length > 1 ? last : '')
    }
    case 'filtered': {
      let pattern = namePattern(expression.input)
      for (const filter of expression.filters) {
        const [argument] = filter.positional
        const added = argument === undefined ? null : namePattern(argument)
        if (filter.name.name === 'append') {
          if (pattern?.exact && added?.exact) pattern = { ...pattern, prefix: pattern.prefix + added.prefix }
          else
            pattern = ends(
              pattern?.prefix ?? '',
              added?.exact ? (pattern !== null && !pattern.exact ? pattern.suffix : '') + added.prefix : '',
            )
        } else if (filter.name.name === 'prepend') {
          if (pattern?.exact && added?.exact) pattern = { ...pattern, prefix: added.prefix + pattern.prefix }
          else
            pattern = ends(
              added?.exact ? added.prefix + (pattern !== null && !pattern.exact ? pattern.prefix : '') : '',
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

/** Whether a value that a pattern is known of surely becomes one: where evaluating it can fail, a variable keeps what it had. */
export function isSureName(expression: Expression): boolean {
  switch (expression.kind) {
    case 'literal':
      return true
    case 'lookup':
      return expression.path.every((accessor) => accessor.kind !== 'index' || isSureName(accessor.value))
    case 'interpolation':
      return expression.parts.every((part) => typeof part === 'string' || isSureName(part))
    case 'filtered':
      return (
        isSureName(expression.input) &&
        expression.filters.every(
          ({ name, positional, named }) =>
            (name.name === 'append' || name.name === 'prepend') &&
            positional.length === 1 &&
            named.length === 0 &&
            positional.every(isSureName),
        )
      )
    default:
      return false
  }
}

function ends(prefix: string, suffix: string): NamePattern | null {
  return prefix === '' && suffix === '' ? null : { prefix, suffix, exact: false }
}
