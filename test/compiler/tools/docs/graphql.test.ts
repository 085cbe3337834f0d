/** The reference's page about GraphQL counts the supported fields of the platform's schema, and lists all of them. */
import { expect, test } from 'vitest'
import { graphqlEntry } from '../../../../compiler/tools/docs/graphql.ts'
import { planOperation, QueryError, schema } from '../../../../runtime/data/query/index.ts'

/** Root fields that the platform documents. */
const PLATFORM = { queries: 57, mutations: 145 }

const { blocks } = graphqlEntry()
const tables = blocks.flatMap((block) => (block.kind === 'rows' ? [block] : []))
const rowsOf = (title: string) => tables.find((table) => table.title === title)?.rows ?? []

test('every root field of the platform is in one of its tables, and the served ones are those of the schema', () => {
  const [queries, mutations] = [rowsOf('Queries'), rowsOf('Mutations')]
  const [ownQueries, own] = [rowsOf('Queries that only Ingot has'), rowsOf('Mutations that only Ingot has')]
  const [noQueries, noMutations] = [
    rowsOf('Queries that are not supported'),
    rowsOf('Mutations that are not supported'),
  ]
  expect([...queries, ...ownQueries].map(({ name }) => name).toSorted()).toEqual(
    Object.keys(schema().getQueryType()?.getFields() ?? {}).toSorted(),
  )
  expect(ownQueries.map(({ name }) => name)).toEqual([
    'admin_changes',
    'admin_channel_processes',
    'admin_channel_rooms',
    'admin_logs',
    'admin_problems',
    'admin_releases',
    'admin_request',
    'admin_request_plan',
    'admin_requests',
    'admin_translations',
    'admin_user_sessions',
    'admin_user_tokens',
  ])
  expect(own.map(({ name }) => name)).toEqual(['admin_user_sessions_end', 'user_token_create', 'user_token_revoke'])
  expect([...mutations, ...own].map(({ name }) => name).toSorted()).toEqual(
    Object.keys(schema().getMutationType()?.getFields() ?? {}).toSorted(),
  )
  expect(queries.length + noQueries.length).toBe(PLATFORM.queries)
  expect(mutations.length + noMutations.length).toBe(PLATFORM.mutations)
  const all = [queries, ownQueries, mutations, own, noQueries, noMutations].flatMap((rows) =>
    rows.map(({ name }) => name),
  )
  expect(new Set(all).size).toBe(all.length)
  const said = blocks.flatMap((block) => (block.kind === 'words' ? [block.text] : [])).join(' ')
  expect(said).toContain(
    `Of the ${PLATFORM.queries} queries and ${PLATFORM.mutations} mutations of the platform, ${queries.length} and ${mutations.length} are supported.`,
  )
})

test('what is old names what to use', () => {
  const rows = [...rowsOf('Queries that are not supported'), ...rowsOf('Mutations that are not supported')]
  const without = rows.filter(({ description }) => description === 'None.')
  const parts = new Set(without.map(({ type }) => type))
  expect(parts).toEqual(new Set())
  const fields = rowsOf('Fields and arguments that are not supported')
  expect(fields.find(({ name }) => name === 'people(geo_query:)')).toMatchObject({
    description: 'a table of addresses',
  })
  expect(new Set(fields.filter(({ description }) => description === 'None.').map(({ type }) => type))).toEqual(parts)
  expect(() => planOperation('{ users(per_page: 1) { results { images { id } } } }')).toThrow(
    'Use properties of the type `upload`.',
  )
  for (const { name, description } of rows) {
    if (description === 'None.') continue
    const root = rowsOf('Queries that are not supported').some((row) => row.name === name) ? 'query' : 'mutation'
    const said = (() => {
      try {
        planOperation(`${root} { ${name} }`)
      } catch (error) {
        if (error instanceof QueryError)
          return error.problems.map(({ message, hint }) => `${message} ${hint ?? ''}`).join(' ')
        throw error
      }
      return 'it is planned'
    })()
    expect(said, name).toContain(`Use ${description}.`)
  }
})
