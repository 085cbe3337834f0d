/** The fields of the requests and jobs that a server in development has recorded. */
import { type ItemFilters, type ItemPage, itemPage } from '../memory-collection.ts'
import type { SiteFacts, SiteItem } from '../site-facts.ts'

const FILTERS: ItemFilters = {
  at: 'date',
  database_milliseconds: 'number',
  failed: 'boolean',
  id: 'id',
  job_id: 'text',
  kind: 'text',
  messages_not_sent: 'number',
  method: 'text',
  milliseconds: 'number',
  path: 'text',
  queued: 'texts',
  statements: 'number',
  status: 'number',
  template: 'text',
  update: 'boolean',
}

const NEWEST_FIRST = [{ at: { order: 'DESC' } }]

type Fields = Readonly<Record<string, unknown>>

/** Returns the page of recorded requests that the arguments select. */
export async function requestPage(args: Fields, site: SiteFacts): Promise<ItemPage> {
  const sort = args['sort'] ?? NEWEST_FIRST
  return itemPage((await site.requests?.()) ?? [], { ...args, sort }, FILTERS)
}

/** Returns the recorded request with an id; null when there is none. */
export async function oneRequest({ id }: Fields, site: SiteFacts): Promise<SiteItem | null> {
  const requests = (await site.requests?.()) ?? []
  return requests.find((request) => request['id'] === String(id)) ?? null
}

/** Returns what the database plans for a query of a recorded request; null when it is not known. */
export async function requestPlan({ id, query }: Fields, site: SiteFacts): Promise<unknown> {
  return (await site.plan?.(String(id), Number(query))) ?? null
}
