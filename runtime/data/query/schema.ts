/** Assembles the GraphQL schema from the files of its fields. It therefore contains only implemented fields. */
import {
  assertValidSchema,
  buildASTSchema,
  type DocumentNode,
  type GraphQLSchema,
  lexicographicSortSchema,
  parse,
  printSchema,
  visit,
} from 'graphql'
import * as registry from './fields/index.ts'
import type { AnyRootField, MutationRootField, QueryRootField } from './model.ts'
import { enums, filters, scalars } from './sdl/base.ts'
import { hasDirective, INTERNAL_DIRECTIVES } from './schema-directives.ts'

const FIELDS: readonly AnyRootField[] = Object.values(registry)

const QUERIES: ReadonlyMap<string, QueryRootField> = new Map(
  FIELDS.flatMap((field) => (isQuery(field) ? [[field.name, field] as const] : [])),
)
const MUTATIONS: ReadonlyMap<string, MutationRootField> = new Map(
  FIELDS.flatMap((field) => (isQuery(field) ? [] : [[field.name, field] as const])),
)

function isQuery(field: AnyRootField): field is QueryRootField {
  return field.kind === 'query' || field.kind === 'site' || field.kind === 'remote'
}

let built: GraphQLSchema | null = null

/** Returns the schema, built on first use. */
export function schema(): GraphQLSchema {
  built ??= buildSchema(true)
  return built
}

/**
 * Returns the schema after validation, which is too slow for every start.
 * @throws Error that lists the mistakes
 * @internal Exported for tests.
 */
export function checkedSchema(): GraphQLSchema {
  const checked = buildSchema(false)
  assertValidSchema(checked)
  return checked
}

function buildSchema(assumeValid: boolean): GraphQLSchema {
  const directiveDefinitions = assumeValid
    ? []
    : INTERNAL_DIRECTIVES.map((word) => `\ndirective @${word} on FIELD_DEFINITION`)
  return buildASTSchema(parse(schemaSource() + directiveDefinitions.join(''), { noLocation: true }), { assumeValid })
}

/** Returns the text of the schema. Its order is stable. */
export function schemaText(): string {
  return `${printSchema(lexicographicSortSchema(schema()))}\n`
}

/** Returns the schema as templates see it. Fields whose text is printed unescaped have the scalar `Markup`. */
export function templateSchema(): DocumentNode {
  const document = parse(`${schemaSource()}\nscalar Markup`, { noLocation: true })
  return visit(document, {
    FieldDefinition(field) {
      const type = hasDirective(field, 'markup')
        ? visit(field.type, { Name: (name) => ({ ...name, value: 'Markup' }) })
        : field.type
      return { ...field, type, directives: [] }
    },
  })
}

export function queryField(name: string): QueryRootField | null {
  return QUERIES.get(name) ?? null
}

export function mutationField(name: string): MutationRootField | null {
  return MUTATIONS.get(name) ?? null
}

function schemaSource(): string {
  // A set, because several fields may contain the same text of types.
  const types = new Set([scalars, enums, filters, ...FIELDS.map((field) => field.types ?? '')])
  const lines = (fields: Iterable<AnyRootField>): string => [...fields].map((field) => `  ${field.sdl}`).join('\n')
  return [
    'schema { query: RootQuery mutation: RootMutation }',
    ...types,
    `type RootQuery {\n${lines(QUERIES.values())}\n}`,
    `type RootMutation {\n${lines(MUTATIONS.values())}\n}`,
  ].join('\n')
}
