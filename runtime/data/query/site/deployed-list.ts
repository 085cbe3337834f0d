/** The fields that list what is deployed: each is a page of a collection with a filter and a sort, by one rule of names. */
import { type ItemFilter, type ItemFilters, itemPage } from '../items.ts'
import type { SiteField } from '../model.ts'
import type { SiteFacts, SiteItem } from '../site-facts.ts'

/** What all deployed files are filtered by. */
const OF_FILES: ItemFilters = {
  created_at: 'date',
  id: 'id',
  metadata: 'json',
  physical_file_path: 'text',
  updated_at: 'date',
}

/** Keys of texts, by which most lists are filtered. */
export function texts(...names: readonly string[]): ItemFilters {
  return Object.fromEntries(names.map((name) => [name, 'text' satisfies ItemFilter]))
}

/** What mails, text messages and calls of other servers are filtered by. */
export const OF_SENT = texts('content', 'delay', 'delay_by', 'name', 'to', 'trigger_condition')

/** What templates that are called are filtered by. */
export const OF_TEMPLATES = texts('body', 'path')

/** What tables and types of profiles are filtered by. */
export const OF_SCHEMAS = texts('name', 'parameterized_name')

interface DeployedList {
  readonly name: string
  /** The start of the names of its types: `LiquidLayout` of `LiquidLayoutCollection`. */
  readonly one: string
  /** The start of the names of its filter and its sort; `one` with an s by default. */
  readonly many?: string
  /** The name of its filter, where it is none of the rule. */
  readonly filter?: string
  readonly directives?: string
  /** The types, which one of the lists brings along for all. */
  readonly types?: string
  readonly filters: ItemFilters
  /** The key that equal items are sorted by; the id by default. */
  readonly last?: string
  items(site: SiteFacts): Promise<readonly SiteItem[]>
}

/** The root field of a list. */
export function deployedList(list: DeployedList): SiteField {
  const { name, one, many = `${one}s`, filter = `${many}FilterInput`, directives = ' @public', types, last } = list
  const filters = { ...OF_FILES, ...list.filters }
  return {
    kind: 'site',
    name,
    sdl: `${name}(filter: ${filter}, page: Int = 1, per_page: Int = 20, sort: [${many}SortInput!]): ${one}Collection!${directives}`,
    ...(types !== undefined && { types }),
    value: async (args, site) => itemPage(await list.items(site), args, filters, last),
  }
}
