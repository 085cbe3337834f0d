/** What the tag `graphql` does at run time: runs a query, and says what becomes of one that fails. */
import { LiquidFault } from './fault.ts'
import type { Render } from './render.ts'
import type { Fields } from './services.ts'

/**
 * Runs a stored operation or a document and gives its result hash; `file` and `line` are the tag's. Where errors end the render, a
 * result with `errors` does; else it is logged, and the template finds them beside the data.
 * @throws LiquidFault with the first error and the name of the query
 */
export async function runOperation(
  r: Render,
  operation: { readonly name: string } | { readonly document: string },
  variables: Fields,
  file: string,
  line: number,
): Promise<Fields> {
  const result = await r.port('graphql', 'graphql').run(operation, variables)
  const found = firstError(result['errors'])
  if (found === null) return result
  const message = 'name' in operation ? `query '${operation.name}': ${found}` : `query: ${found}`
  if (r.raise) throw new LiquidFault(message)
  r.services.log.write({ message, type: 'GraphQLError', env: 'all', file, line })
  return result
}

/** The message of the first error; null without any. A root field may be called `errors` too: it has no messages. */
function firstError(errors: unknown): string | null {
  if (!Array.isArray(errors) || errors.length === 0) return null
  const first: unknown = errors[0]
  if (typeof first !== 'object' || first === null || !('message' in first)) return null
  return typeof first.message === 'string' ? first.message : null
}
