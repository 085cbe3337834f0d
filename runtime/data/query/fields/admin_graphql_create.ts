/** `admin_graphql_create`: creates a stored query. */
import { siteChange } from '../site/site-change.ts'

export const admin_graphql_create = siteChange(
  'admin_graphql_create(graphql: GraphqlInputType!): GraphQL',
  'graphql',
  'create',
)
