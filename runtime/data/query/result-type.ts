/** The type of a field as templates see it, derived from its type in the schema. */
import { getNamedType, type GraphQLOutputType, isNonNullType, isListType } from 'graphql'
import type { ResultType, ScalarName } from './answer.ts'

/** The type of a field: the named type, with the wrappers of the GraphQL type. */
export function wrapped<const Named>(type: GraphQLOutputType, named: Named): Wrapped<Named> {
  return unwrapped(type, named, true)
}

type Wrapped<Named> =
  | Named
  | { readonly kind: 'list'; readonly of: Wrapped<Named> }
  | { readonly kind: 'nullable'; readonly of: Wrapped<Named> }

function unwrapped<Named>(type: GraphQLOutputType, named: Named, nullable: boolean): Wrapped<Named> {
  if (isNonNullType(type)) return unwrapped(type.ofType, named, false)
  const inner: Wrapped<Named> = isListType(type) ? { kind: 'list', of: unwrapped(type.ofType, named, true) } : named
  return nullable ? { kind: 'nullable', of: inner } : inner
}

const SCALARS: Readonly<Record<string, ScalarName>> = {
  ID: 'ID',
  String: 'String',
  Int: 'Int',
  Float: 'Float',
  Boolean: 'Boolean',
  JSONDate: 'Date',
}

/** The scalar of templates for a scalar of the schema. */
export function scalarName(name: string): ScalarName {
  return SCALARS[name] ?? 'JSON'
}

/** The type of a field that returns a scalar, or a list of scalars. */
export function scalarType(type: GraphQLOutputType): ResultType {
  return wrapped<ResultType>(type, { kind: 'scalar', name: scalarName(getNamedType(type).name) })
}
