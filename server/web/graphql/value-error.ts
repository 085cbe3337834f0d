/** The error of a query for a value that cannot be used. */
import { QueryError } from '../../../runtime/data/query/model.ts'

/** Creates a query error with the code `value` and no position in the document. */
export function valueError(message: string): QueryError {
  return new QueryError([{ code: 'value', message, range: null, hint: null }])
}
