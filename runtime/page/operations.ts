/** Run-time support for the tag `graphql`: runs a query and handles its failure. */
import type { Decoder } from './decode.ts'
import { QueryFault } from './fault.ts'
import type { Render } from './render.ts'
import type { Fields } from './services.ts'
import { isFields } from './values/fields.ts'

/**
 * Runs a stored operation or a document and returns its result. `file` and `line` are the location of the tag. A failure is logged with the
 * stack of templates, and the result contains `errors` beside the data. The failure ends the render when the site sets `liquid_raise_mode`
 * explicitly, or when the database is unavailable and errors end renders.
 * @throws QueryFault with the first error and the name of the query
 */
export async function runOperation(
  r: Render,
  operation: { readonly name: string } | { readonly document: string },
  variables: Fields,
  file: string,
  line: number,
): Promise<Fields> {
  const query = 'name' in operation ? `query '${operation.name}'` : 'query'
  const result = await r.port('graphql', 'graphql').run(operation, variables, (warning) => {
    r.services.log.write({ message: `${query}: ${warning}`, type: 'warning', env: 'all', file, line })
  })
  r.resume()
  const operationError = firstError(result['errors'])
  if (operationError === null) return result
  const fault = new QueryFault(`${query}: ${operationError.message}`)
  if (r.site.options.raiseQueries === true || (r.raise && operationError.code === 'UNREACHABLE')) throw fault
  fault.file = file
  fault.line = line
  r.services.locate(fault)
  r.note(fault, file, line)
  return result
}

/**
 * Runs a stored operation, and checks that its result has the declared type.
 * @throws QueryFault for a failed query, and for a wrong result. The message then names the path of the wrong value
 */
export async function runStored<Result>(
  r: Render,
  name: string,
  decoder: Decoder<Result>,
  variables: Fields,
  file: string,
  line: number,
): Promise<Result> {
  const result: unknown = await runOperation(r, { name }, variables, file, line)
  if (decoder.accepts(result)) return result
  throw new QueryFault(`query '${name}': ${decoder.explainMismatch(result, '')}`)
}

/** Returns the first error, or null. A root field may also be named `errors`, but has no messages. */
function firstError(errors: unknown): { readonly message: string; readonly code: unknown } | null {
  if (!Array.isArray(errors)) return null
  const firstItem: unknown = errors[0]
  if (!isFields(firstItem) || typeof firstItem['message'] !== 'string') return null
  const { extensions } = firstItem
  return { message: firstItem['message'], code: isFields(extensions) ? extensions['code'] : null }
}
