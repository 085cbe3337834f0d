/** The type of a field as templates see it, derived from its type in the schema. */
import { getNamedType, type GraphQLOutputType, isNonNullType, isListType } from 'graphql'
import type { ResultType, ScalarName } from './result-type-model.ts'

/** Returns the type of a field: the named type, with the wrappers of the GraphQL type. */
export function wrapType<const Named>(type: GraphQLOutputType, named: Named): WrappedType<Named> {
  return wrapNullable(type, named, true)
}

type WrappedType<Named> =
  | Named
  | { readonly kind: 'list'; readonly inner: WrappedType<Named> }
  | { readonly kind: 'nullable'; readonly inner: WrappedType<Named> }

function wrapNullable<Named>(type: GraphQLOutputType, named: Named, nullable: boolean): WrappedType<Named> {
  if (isNonNullType(type)) return wrapNullable(type.ofType, named, false)
  const wrappedType: WrappedType<Named> = isListType(type)
    ? { kind: 'list', inner: wrapNullable(type.ofType, named, true) }
    : named
  return nullable ? { kind: 'nullable', inner: wrappedType } : wrappedType
}

const SCALARS: Readonly<Record<string, ScalarName>> = {
  ID: 'ID',
  String: 'String',
  Int: 'Int',
  Float: 'Float',
  Boolean: 'Boolean',
  JSONDate: 'Date',
}

/** Returns the scalar of templates for a scalar of the schema. */
export function scalarName(name: string): ScalarName {
  return SCALARS[name] ?? 'JSON'
}

/** Returns the type of a field that returns a scalar, or a list of scalars. */
export function scalarResultType(type: GraphQLOutputType): ResultType {
  return wrapType<ResultType>(type, { kind: 'scalar', name: scalarName(getNamedType(type).name) })
}
