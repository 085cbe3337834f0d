/** Shows the SQL of a query. */
import {
  placeholderVariables,
  planningCatalog,
  planOperation,
  QueryError,
  statementsOf,
} from '../../../../runtime/data/query/index.ts'
import { formatSql } from '../../../../runtime/data/sql/format-sql.ts'
import type { Site } from '../../../core/model/site.ts'

/** Maximum number of characters of all statements of a query. */
const MAX_LENGTH = 4000

/**
 * Returns the statements that a query runs if all of its variables are given, in order. Parameters have no values, and tables have the
 * numbers of their order. Null if the query has errors or runs no statement.
 */
export function sqlOf({ data, config }: Site, document: string): string | null {
  try {
    const plan = planOperation(document)
    const options = { requireTableForDelete: config.requireTableForRecordDeleteMutation, floats: true }
    const statements = statementsOf(plan, placeholderVariables(plan), planningCatalog(data), options)
    const text = statements.map(({ sql }) => `${formatSql(sql.text)};`).join('\n\n')
    if (text === '') return null
    return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`
  } catch (error) {
    if (error instanceof QueryError) return null
    throw error
  }
}
