/**
 * Runs queries with the reference implementation of GraphQL as it is commonly used: one resolver per field, and one statement per row for
 * each relation.
 */
import { graphql, GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql'
import type { Sql } from 'postgres'

interface Row {
  readonly id: string
  readonly properties: Readonly<Record<string, unknown>>
}

/** Returns the result of `ARTICLES` in the same shape. */
export function articlesByResolvers(
  sql: Sql,
  ids: ReadonlyMap<string, number>,
): (category: string, page: number) => Promise<unknown> {
  const rows = async (text: string, values: readonly unknown[]): Promise<readonly Row[]> => {
    const found = await sql.unsafe(text, values as never[], { prepare: true })
    return found as unknown as readonly Row[]
  }
  const from = (table: string): string =>
    `select id::text, properties from ingot.records where table_id = ${ids.get(table)} and deleted_at is null`
  const property = (name: string) => ({ type: GraphQLString, resolve: (row: Row) => row.properties[name] ?? null })
  const id = { type: GraphQLString, resolve: (row: Row) => row.id }
  const author = new GraphQLObjectType({ name: 'Author', fields: { id, name: property('name') } })
  const reaction = new GraphQLObjectType({ name: 'Reaction', fields: { kind: property('kind') } })
  const comment = new GraphQLObjectType({
    name: 'Comment',
    fields: {
      id,
      body: property('body'),
      reactions: {
        type: new GraphQLList(reaction),
        resolve: (row: Row) =>
          rows(
            `${from('reaction')} and left(coalesce(properties->>'comment_id'::text, ''), 200) = $1::text order by id limit 5`,
            [row.id],
          ),
      },
    },
  })
  const article = new GraphQLObjectType({
    name: 'Article',
    fields: {
      id,
      title: property('title'),
      author: {
        type: author,
        resolve: async (row: Row) =>
          (await rows(`${from('author')} and id = $1::bigint`, [String(row.properties['author_id'])]))[0],
      },
      comments: {
        type: new GraphQLList(comment),
        resolve: (row: Row) =>
          rows(
            `${from('comment')} and left(coalesce(properties->>'article_id'::text, ''), 200) = $1::text order by id limit 5`,
            [row.id],
          ),
      },
    },
  })
  const collection = new GraphQLObjectType({
    name: 'Collection',
    fields: { results: { type: new GraphQLList(article), resolve: (found: readonly Row[]) => found } },
  })
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: {
        records: {
          type: collection,
          args: { category: { type: GraphQLString }, page: { type: GraphQLInt } },
          resolve: (_root, args: { readonly category: string; readonly page: number }) =>
            rows(
              `${from('article')} and left(coalesce(properties->>'category'::text, ''), 200) = $1::text
               order by created_at desc, id limit 20 offset $2::bigint`,
              [args.category, String((args.page - 1) * 20)],
            ),
        },
      },
    }),
  })
  const source = `query ($category: String, $page: Int) { records(category: $category, page: $page) { results {
    id title author { id name } comments { id body reactions { kind } } } } }`
  return async (category, page) => {
    const { data, errors } = await graphql({ schema, source, variableValues: { category, page } })
    if (errors !== undefined) throw errors[0]
    return data
  }
}
