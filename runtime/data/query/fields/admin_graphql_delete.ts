/** `admin_graphql_delete`: deletes a stored query. */
import { siteChange } from '../site/site-change.ts'

export const admin_graphql_delete = siteChange(
  'admin_graphql_delete(physical_file_path: String!): GraphQL',
  'graphql',
  'delete',
)
