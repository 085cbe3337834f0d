/** Prints types. */
import type { TypeCode, TypeParameter } from '../../core/model/code.ts'

/** Returns the text of a type. Adds the names in it to `names`. */
export function typeText(type: TypeCode, names: Set<string>): string {
  const text = (each: TypeCode) => typeText(each, names)
  switch (type.kind) {
    case 'named':
      names.add(type.name)
      return type.of.length === 0 ? type.name : `${type.name}<${type.of.map(text).join(', ')}>`
    case 'union':
      return type.of.map(text).join(' | ')
    case 'list': {
      const element = type.of.kind === 'named' ? text(type.of) : `(${text(type.of)})`
      return `${type.isMutable ? '' : 'readonly '}${element}[]`
    }
  }
}

/** Returns the text of type parameters, with angle brackets. Adds the names in it to `names`. */
export function typeParametersText(parameters: readonly TypeParameter[], names: Set<string>): string {
  if (parameters.length === 0) return ''
  const texts = parameters.map(({ name, bound }) =>
    bound === null ? name : `${name} extends ${typeText(bound, names)}`,
  )
  return `<${texts.join(', ')}>`
}
