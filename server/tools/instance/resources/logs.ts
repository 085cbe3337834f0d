/** `GET /api/app_builder/logs?last_id=N`: the log, entry by entry. Clients ask it every few seconds, and once to see whether the server is there. */
import type { StoredEntry } from '../../../web/logs/model.ts'
import { nextEntries } from '../../../web/logs/read-entries.ts'
import { json, Refusal } from '../replies.ts'
import type { Resource } from '../resource.ts'

export const logs: Resource = {
  method: 'GET',
  path: 'app_builder/logs',
  // Entries tell of the visitors of a site; who deploys needs them all the same.
  scopes: ['deploy', 'exec', 'read', 'write'],
  async answer({ sql }, { query }) {
    const given = query.get('last_id') ?? ''
    const last = NONE.has(given) ? '0' : given
    if (!/^\d{1,18}$/.test(last)) throw new Refusal(422, 'last_id is the id of an entry of the log, a number')
    const entries = await nextEntries(sql, last)
    return json(200, { logs: entries.map(shown) })
  },
}

/** As clients write that they have seen none. */
const NONE: ReadonlySet<string> = new Set(['', 'null', 'undefined'])

function shown({ id, createdAt, type, message, data }: StoredEntry): object {
  return { id: Number(id), created_at: createdAt.toISOString(), error_type: type, message, data }
}
