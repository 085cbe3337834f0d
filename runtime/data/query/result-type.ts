/** The type that a template sees of a field, from the field's type in the schema. */
import type { GraphQLOutputType } from 'graphql'
import type { ResultType } from './model.ts'

/** The type of a field: what its GraphQL type wraps around the type of what it names. */
export function wrapped(type: GraphQLOutputType, named: ResultType): ResultType {
  return unwrapped(type, named, true)
}

function unwrapped(type: GraphQLOutputType, named: ResultType, nullable: boolean): ResultType {
  const text = type.toString()
  if (text.endsWith('!') && 'ofType' in type) return unwrapped(type.ofType as GraphQLOutputType, named, false)
  const inner: ResultType =
    text.endsWith(']') && 'ofType' in type
      ? { kind: 'list', of: unwrapped(type.ofType as GraphQLOutputType, named, true) }
      : named
  return nullable ? { kind: 'nullable', of: inner } : inner
}

const SCALARS: Readonly<Record<string, Extract<ResultType, { kind: 'scalar' }>['name']>> = {
  ID: 'ID',
  String: 'String',
  Int: 'Int',
  Float: 'Float',
  Boolean: 'Boolean',
  JSONDate: 'Date',
}

/** The type of a field of scalars. */
export function scalarType(type: GraphQLOutputType): ResultType {
  const name = type.toString().replace(/[[\]!]/g, '')
  return wrapped(type, { kind: 'scalar', name: SCALARS[name] ?? 'JSON' })
}
