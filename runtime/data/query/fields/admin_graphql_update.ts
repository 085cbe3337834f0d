/** `admin_graphql_update`: changes a stored query. */
import { siteChange } from '../site/site-change.ts'

export const admin_graphql_update = siteChange(
  'admin_graphql_update(graphql: UpdateGraphqlInputType!, physical_file_path: String!): GraphQL',
  'graphql',
  'update',
)
