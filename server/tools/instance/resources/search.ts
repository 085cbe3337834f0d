/** `POST /api/<organization>/_search`: answers the searches of the client's log page, in the format of a log service. */
import { errorCodeOf } from '../../../core/error-code.ts'
import { Refusal, json } from '../replies.ts'
import type { Resource } from '../resource.ts'
import { runSearch, searchSchema } from '../search/search.ts'
import { SearchError } from '../search/tokens.ts'

export const search: Resource = {
  method: 'POST',
  // There is only one organization, whatever its name in the request.
  path: ':organisation/_search',
  scopes: ['deploy', 'exec', 'read', 'write'],
  async answer({ sql }, { request }) {
    if (request.unreadable) throw new Refusal(request.unreadable.status, request.unreadable.message)
    const parsed = searchSchema.safeParse(parseBody(request.body))
    if (!parsed.success)
      throw new Refusal(400, 'a search must be JSON: {"query": {"sql": "select * from logs", "from": 0, "size": 20}}')
    try {
      return json(200, await runSearch(sql, parsed.data))
    } catch (error) {
      if (error instanceof SearchError) throw new Refusal(400, error.message)
      if (errorCodeOf(error) === TIMED_OUT)
        throw new Refusal(400, 'the search takes too long: add a start_time, or request fewer rows')
      throw error
    }
  },
}

/** SQLSTATE of a statement that was cancelled. */
const TIMED_OUT = '57014'

/** Parses a body; undefined for invalid JSON. */
function parseBody(body: Uint8Array | null): unknown {
  try {
    return body === null ? undefined : JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}
