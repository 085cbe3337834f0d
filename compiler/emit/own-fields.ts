/**
 * The function by which a module reads fields of values that a host hands in, which need not be plain data: it finds plain objects itself
 * and leaves the others to the runtime. V8 keeps what it learns of objects function by function: one function for all templates would see
 * objects of too many shapes to be quick.
 */
import { binary, choice, give, ident, invoke, maybe, NOWHERE, parameter, type Statement } from '../model/code.ts'

/** What a module calls the function. No variable has the sign with letters behind it in its name. */
export function ownFieldsName(unitName: string): string {
  return `fields$${unitName}`
}

/** The function itself. An own key `constructor` only leads to the longer way. */
export function ownFieldsFunction(name: string): Statement {
  const value = ident('value')
  const isPlain = binary(maybe(value, 'constructor'), '===', ident('Object'))
  return {
    kind: 'function',
    name,
    async: false,
    parameters: [parameter('value')],
    result: null,
    body: [give(choice(isPlain, value, invoke(ident('fields'), value)))],
    span: NOWHERE,
  }
}
