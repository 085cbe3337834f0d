/** Assembles the GraphQL schema from the files of its fields, so it only contains implemented fields. */
import {
  assertValidSchema,
  buildASTSchema,
  type GraphQLSchema,
  lexicographicSortSchema,
  parse,
  printSchema,
} from 'graphql'
import * as registry from './fields/index.ts'
import type { AnyField, ChangeField, QueryField, SiteField } from './model.ts'
import { enums, filters, scalars } from './sdl/base.ts'

const FIELDS: readonly AnyField[] = Object.values(registry)

const QUERIES: ReadonlyMap<string, QueryField | SiteField> = new Map(
  FIELDS.flatMap((field) => (field.kind === 'query' || field.kind === 'site' ? [[field.name, field] as const] : [])),
)
const MUTATIONS: ReadonlyMap<string, ChangeField> = new Map(
  FIELDS.flatMap((field) => (field.kind === 'query' || field.kind === 'site' ? [] : [[field.name, field] as const])),
)

let built: GraphQLSchema | null = null

/** The schema, built on first use. */
export function schema(): GraphQLSchema {
  built ??= made(true)
  return built
}

/**
 * The schema after validation, which takes too long for a start.
 * @throws Error that lists the mistakes
 */
export function checkedSchema(): GraphQLSchema {
  const checked = made(false)
  assertValidSchema(checked)
  return checked
}

function made(assumeValid: boolean): GraphQLSchema {
  // The schema that is shown has no such directive: it is a word between the text and `reserved.ts`.
  const words = assumeValid ? '' : '\ndirective @public on FIELD_DEFINITION'
  return buildASTSchema(parse(sources() + words, { noLocation: true }), { assumeValid })
}

/** The text of the schema, in a stable order. */
export function schemaText(): string {
  return `${printSchema(lexicographicSortSchema(schema()))}\n`
}

export function queryField(name: string): QueryField | SiteField | null {
  return QUERIES.get(name) ?? null
}

export function mutationField(name: string): ChangeField | null {
  return MUTATIONS.get(name) ?? null
}

function sources(): string {
  // Several fields may share a text of types.
  const types = new Set([scalars, enums, filters, ...FIELDS.map((field) => field.types ?? '')])
  const lines = (fields: Iterable<AnyField>): string => [...fields].map((field) => `  ${field.sdl}`).join('\n')
  return [
    'schema { query: RootQuery mutation: RootMutation }',
    ...types,
    `type RootQuery {\n${lines(QUERIES.values())}\n}`,
    `type RootMutation {\n${lines(MUTATIONS.values())}\n}`,
  ].join('\n')
}
