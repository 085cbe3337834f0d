/** `POST /api/<organisation>/_search`: the searches of the client's log screen, as a log service answers them. */
import { codeOf } from '../../../core/error-code.ts'
import { Refusal, json } from '../replies.ts'
import type { Resource } from '../resource.ts'
import { runSearch, searchSchema } from '../search/search.ts'
import { SearchError } from '../search/tokens.ts'

export const search: Resource = {
  method: 'POST',
  // There is one organisation, whatever the client calls it.
  path: ':organisation/_search',
  scopes: ['deploy', 'exec', 'read', 'write'],
  async answer({ sql }, { request }) {
    if (request.unreadable) throw new Refusal(request.unreadable.status, request.unreadable.message)
    const asked = searchSchema.safeParse(jsonOf(request.body))
    if (!asked.success)
      throw new Refusal(400, 'a search is JSON: {"query": {"sql": "select * from logs", "from": 0, "size": 20}}')
    try {
      return json(200, await runSearch(sql, asked.data))
    } catch (error) {
      if (error instanceof SearchError) throw new Refusal(400, error.message)
      if (codeOf(error) === TIMED_OUT)
        throw new Refusal(400, 'the search takes too long: give it a start_time, or fewer rows')
      throw error
    }
  },
}

/** SQLSTATE of a statement that was cancelled. */
const TIMED_OUT = '57014'

/** Undefined for what is no JSON. */
function jsonOf(body: Uint8Array | null): unknown {
  try {
    return body === null ? undefined : JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}
