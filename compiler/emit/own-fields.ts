/**
 * The function by which a module reads fields of values that a host hands in, which need not be plain data: it finds plain objects itself
 * and leaves the others to the runtime. V8 keeps what it learns of objects function by function: one function for all templates would see
 * objects of too many shapes to be quick.
 */
import {
  binary,
  choice,
  give,
  ident,
  invoke,
  maybe,
  member,
  method,
  NOWHERE,
  parameter,
  type Statement,
} from '../model/code.ts'

/** What a module calls the function. No variable has the sign with letters behind it in its name. */
export function ownFieldsName(unitName: string): string {
  return `fields$${unitName}`
}

/**
 * The function itself. The prototype decides: an object that was made of a plain one would inherit its `constructor`, and more. The question
 * for the constructor stands before it because V8 learns the object's shape there, and then knows the prototype without asking.
 */
export function ownFieldsFunction(name: string): Statement {
  const value = ident('value')
  const objects = ident('Object')
  const looksPlain = binary(maybe(value, 'constructor'), '===', objects)
  const isPlain = binary(method(objects, 'getPrototypeOf', value), '===', member(objects, 'prototype'))
  return {
    kind: 'function',
    name,
    async: false,
    parameters: [parameter('value')],
    result: null,
    body: [give(choice(binary(looksPlain, '&&', isPlain), value, invoke(ident('fields'), value)))],
    span: NOWHERE,
  }
}
