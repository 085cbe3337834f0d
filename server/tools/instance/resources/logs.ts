/** `GET logs?last_id=N`: the entries of the log. Clients poll it every few seconds, and also use it to check that the server responds. */
import type { StoredEntry } from '../../../web/logs/model.ts'
import { nextEntries } from '../../../web/logs/read-entries.ts'
import { json, Refusal } from '../replies.ts'
import type { Resource } from '../resource.ts'

export const logs: Resource = {
  method: 'GET',
  path: 'app_builder/logs',
  // Entries may contain data of visitors, but clients that deploy need them too.
  scopes: ['deploy', 'exec', 'read', 'write'],
  async answer({ sql }, { query }) {
    const text = query.get('last_id') ?? ''
    const last = EMPTY_IDS.has(text) ? '0' : text
    if (!/^\d{1,18}$/.test(last)) throw new Refusal(422, 'last_id must be the id of a log entry, a number')
    const entries = await nextEntries(sql, last)
    return json(200, { logs: entries.map(formatEntry) })
  },
}

/** Values of `last_id` that mean "none". */
const EMPTY_IDS: ReadonlySet<string> = new Set(['', 'null', 'undefined'])

function formatEntry({ id, createdAt, type, message, data }: StoredEntry): object {
  return { id: Number(id), created_at: createdAt.toISOString(), error_type: type, message, data }
}
