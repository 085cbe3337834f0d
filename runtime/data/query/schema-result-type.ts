/** Derives the type of an operation's result from its selection. */
import { getNamedType, type GraphQLObjectType, isEnumType, isObjectType } from 'graphql'
import type { SchemaResultField, SchemaResultObject, SchemaResultType } from './result-type-model.ts'
import type { Selected } from './model.ts'
import { scalarName, wrapType } from './result-type.ts'
import { hasDirective } from './schema-directives.ts'

/** Returns the result type of a selection on `type`. */
export function schemaResultType(selection: readonly Selected[], type: GraphQLObjectType): SchemaResultObject {
  return { kind: 'object', fields: selection.map((selected) => schemaResultField(selected, type)) }
}

function schemaResultField(
  { responseKey, field, selection, isOptional }: Selected,
  type: GraphQLObjectType,
): SchemaResultField {
  const namedType = getNamedType(field.type)
  const namedResultType = isObjectType(namedType) ? schemaResultType(selection, namedType) : leafType(field, type)
  return {
    key: responseKey,
    name: field.name,
    type: wrapType<SchemaResultType>(field.type, namedResultType),
    isOptional,
  }
}

function leafType(field: Selected['field'], type: GraphQLObjectType): SchemaResultType {
  const namedType = getNamedType(field.type)
  if (field.name === '__typename') return { kind: 'enum', values: [type.name] }
  if (isEnumType(namedType)) return { kind: 'enum', values: namedType.getValues().map(({ name }) => name) }
  return { kind: 'scalar', name: hasDirective(field.astNode, 'markup') ? 'Markup' : scalarName(namedType.name) }
}
