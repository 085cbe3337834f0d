/** Derives the type of an operation's result from its selection. */
import { getNamedType, type GraphQLObjectType, isEnumType, isObjectType } from 'graphql'
import type { AnswerField, AnswerObject, AnswerType } from './answer.ts'
import type { Selected } from './model.ts'
import { scalarName, wrapped } from './result-type.ts'
import { hasWord } from './words.ts'

/** The result type of a selection on `type`. */
export function answerType(selection: readonly Selected[], type: GraphQLObjectType): AnswerObject {
  return { kind: 'object', fields: selection.map((selected) => answerField(selected, type)) }
}

function answerField({ key, field, selection, mayMiss }: Selected, type: GraphQLObjectType): AnswerField {
  const named = getNamedType(field.type)
  const inner = isObjectType(named) ? answerType(selection, named) : leafType(field, type)
  return { key, name: field.name, type: wrapped<AnswerType>(field.type, inner), mayMiss }
}

function leafType(field: Selected['field'], type: GraphQLObjectType): AnswerType {
  const named = getNamedType(field.type)
  if (field.name === '__typename') return { kind: 'enum', values: [type.name] }
  if (isEnumType(named)) return { kind: 'enum', values: named.getValues().map(({ name }) => name) }
  return { kind: 'scalar', name: hasWord(field.astNode, 'markup') ? 'Markup' : scalarName(named.name) }
}
