/** The reference's page about GraphQL root fields: those of the schema, and those of the platform that are not supported. */
import type { GraphQLField, GraphQLObjectType } from 'graphql'
import { type UnsupportedName, unsupportedFields, unsupportedNames, schema } from '../../../runtime/data/query/index.ts'
import { capitalize } from '../../core/diagnostics/words.ts'
import type { Entry, Row } from './entry.ts'
import { makeEntry, paragraph, table } from './page.ts'

const SUMMARY = 'The supported queries and mutations, and those of the platform that are not supported.'

export function graphqlEntry(): Entry {
  const supportedSchema = schema()
  const queries = fieldRows(supportedSchema.getQueryType())
  const mutations = fieldRows(supportedSchema.getMutationType())
  const missing = {
    queries: missingRows(unsupportedNames('RootQuery')),
    mutations: missingRows(unsupportedNames('RootMutation')),
  }
  const tables = [
    table('Queries', queries, HEADS),
    table('Mutations', mutations, HEADS),
    table('Queries that only Ingot has', fieldRows(supportedSchema.getQueryType(), true), HEADS),
    table('Mutations that only Ingot has', fieldRows(supportedSchema.getMutationType(), true), HEADS),
    table('Queries that are not supported', missing.queries, MISSING_HEADS),
    table('Mutations that are not supported', missing.mutations, MISSING_HEADS),
  ]
  return makeEntry({
    section: 'production',
    name: 'GraphQL',
    path: 'production/graphql.html',
    summary: SUMMARY,
    blocks: [
      paragraph(SUMMARY),
      paragraph(
        `Of the ${queries.length + missing.queries.length} queries and ${mutations.length + missing.mutations.length} mutations of the platform, ${queries.length} and ${mutations.length} are supported. A document that uses another one is built with a warning, and fails when it runs. If the platform marks the field as deprecated, the message names its replacement.`,
      ),
      ...tables,
      table('Fields and arguments that are not supported', missingRows(unsupportedFields()), MISSING_HEADS),
    ],
    also: tables.flatMap(({ rows }) => rows.map(({ name, description }) => ({ name, summary: description, id: name }))),
  })
}

const HEADS = ['Field', 'Result', 'Arguments'] as const
const MISSING_HEADS = ['Field', 'Part of', 'Use'] as const

/** Returns whether the platform lacks a field, which the description of the field mentions. */
function isOwn({ description }: GraphQLField<unknown, unknown>): boolean {
  return description?.startsWith(OWN) ?? false
}

const OWN = "Ingot's own: "

/** Returns a row for each field. @param own true lists the fields that the platform lacks; false lists all other fields */
function fieldRows(type: GraphQLObjectType | null | undefined, own = false): readonly Row[] {
  return Object.values(type?.getFields() ?? {})
    .filter((field) => isOwn(field) === own)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, args, type: result, description, deprecationReason }) => {
      const argumentList = args.map((arg) => `\`${arg.name}: ${String(arg.type)}\``)
      const note = typeof deprecationReason === 'string' ? 'Old. ' : own ? `${sentence(description)} ` : ''
      return {
        name,
        type: String(result),
        description: `${note}${argumentList.length === 0 ? 'None.' : argumentList.join(', ')}`,
        id: name,
      }
    })
}

/** Returns the description of a field without the words that mark it. */
function sentence(description: string | null | undefined): string {
  return capitalize((description ?? '').slice(OWN.length))
}

function missingRows(names: readonly UnsupportedName[]): readonly Row[] {
  return names
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, feature, successor }) => ({ name, type: feature, description: successor ?? 'None.', id: name }))
}
