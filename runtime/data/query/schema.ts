/** Assembles the GraphQL schema from the files of its fields, so it only contains implemented fields. */
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
import type { AnyField, ChangeField, QueryField, SiteField } from './model.ts'
import { enums, filters, scalars } from './sdl/base.ts'
import { hasWord, WORDS } from './words.ts'

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
 * The schema after validation, which is too slow for every start.
 * @throws Error that lists the mistakes
 */
export function checkedSchema(): GraphQLSchema {
  const checked = made(false)
  assertValidSchema(checked)
  return checked
}

function made(assumeValid: boolean): GraphQLSchema {
  const words = assumeValid ? [] : WORDS.map((word) => `\ndirective @${word} on FIELD_DEFINITION`)
  return buildASTSchema(parse(sources() + words.join(''), { noLocation: true }), { assumeValid })
}

/** The text of the schema, in a stable order. */
export function schemaText(): string {
  return `${printSchema(lexicographicSortSchema(schema()))}\n`
}

/** The schema as templates see it: text that is printed unescaped has a scalar of its own, `Markup`. */
export function templateSchema(): DocumentNode {
  const document = parse(`${sources()}\nscalar Markup`, { noLocation: true })
  return visit(document, {
    FieldDefinition(field) {
      const type = hasWord(field, 'markup')
        ? visit(field.type, { Name: (name) => ({ ...name, value: 'Markup' }) })
        : field.type
      return { ...field, type, directives: [] }
    },
  })
}

export function queryField(name: string): QueryField | SiteField | null {
  return QUERIES.get(name) ?? null
}

export function mutationField(name: string): ChangeField | null {
  return MUTATIONS.get(name) ?? null
}

function sources(): string {
  // Several fields may use the same text of types.
  const types = new Set([scalars, enums, filters, ...FIELDS.map((field) => field.types ?? '')])
  const lines = (fields: Iterable<AnyField>): string => [...fields].map((field) => `  ${field.sdl}`).join('\n')
  return [
    'schema { query: RootQuery mutation: RootMutation }',
    ...types,
    `type RootQuery {\n${lines(QUERIES.values())}\n}`,
    `type RootMutation {\n${lines(MUTATIONS.values())}\n}`,
  ].join('\n')
}
