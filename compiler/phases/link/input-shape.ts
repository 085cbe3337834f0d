/** Describes the variables of a query as plain shapes of the schema's input types. */
import {
  getNamedType,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  parseType,
  typeFromAST,
} from 'graphql'
import type { InputShape } from '../../core/model/operation.ts'

/**
 * Returns the shape of a type as written in a document, such as `[String!]`. An unknown type accepts anything, because it is reported
 * elsewhere.
 */
export function inputShape(schema: GraphQLSchema, typeText: string): InputShape {
  const type = typeFromAST(schema, parseType(typeText))
  return isInputType(type) ? shapeOf(type) : ANY
}

const ANY: InputShape = { kind: 'any' }

const SCALARS: Readonly<Record<string, InputShape>> = {
  String: { kind: 'text' },
  Int: { kind: 'integer' },
  Float: { kind: 'float' },
  Boolean: { kind: 'boolean' },
  ID: { kind: 'id' },
}

function shapeOf(type: GraphQLInputType): InputShape {
  if (isNonNullType(type)) return shapeOf(type.ofType)
  if (isListType(type)) return { kind: 'list', element: shapeOf(type.ofType) }
  if (isEnumType(type)) return { kind: 'enum', values: type.getValues().map(({ name }) => name) }
  if (isInputObjectType(type)) {
    return {
      kind: 'object',
      fields: () => new Map(Object.values(type.getFields()).map((field) => [field.name, shapeOf(field.type)])),
    }
  }
  return SCALARS[getNamedType(type).name] ?? ANY
}
