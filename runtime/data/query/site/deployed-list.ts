/** Defines the root fields that list deployed files. */
import { type ItemFilter, type ItemFilters, itemPage } from '../memory-collection.ts'
import type { SiteField } from '../model.ts'
import type { SiteFacts, SiteItem } from '../site-facts.ts'

/** The filter keys of all deployed files. */
const FILE_FILTERS: ItemFilters = {
  created_at: 'date',
  id: 'id',
  metadata: 'json',
  physical_file_path: 'text',
  updated_at: 'date',
}

/** Returns the filter keys of a list of deployed files. */
export function fileFilters(filters: ItemFilters): ItemFilters {
  return { ...FILE_FILTERS, ...filters }
}

/** Returns a text filter for each of these keys. */
export function textFilters(...names: readonly string[]): ItemFilters {
  return Object.fromEntries(names.map((name) => [name, 'text' satisfies ItemFilter]))
}

/** The filter keys of mails, text messages and API calls. */
export const NOTIFICATION_FILTERS = textFilters('content', 'delay', 'delay_by', 'name', 'to', 'trigger_condition')

/** The filter keys of mails. */
export const MAIL_FILTERS = {
  ...NOTIFICATION_FILTERS,
  ...textFilters('attachments', 'bcc', 'cc', 'layout', 'layout_path', 'subject'),
}

/** The filter keys of forms. */
export const FORM_FILTERS = textFilters(
  'async_callback_actions',
  'callback_actions',
  'default_payload',
  'flash_notice',
  'liquid_body',
  'name',
  'redirect_to',
  'resource',
  'resource_owner',
)

/** The filter keys of templates. */
export const TEMPLATE_FILTERS = textFilters('body', 'path')

/** The filter keys of tables and profile types. */
export const SCHEMA_FILTERS = textFilters('name', 'parameterized_name')

interface DeployedList {
  readonly name: string
  /** The prefix of the type names, such as `LiquidLayout` in `LiquidLayoutCollection`. */
  readonly singularName: string
  /** The prefix of the names of the filter and the sort. By default it is `singularName` followed by an `s`. */
  readonly pluralName?: string
  /** The name of the filter type, when it does not begin with that prefix. */
  readonly filter?: string
  readonly directives?: string
  /** The types that this list needs. When lists share types, only one of them defines the types. */
  readonly types?: string
  readonly filters: ItemFilters
  /** The key that breaks ties in the sort; by default the id. */
  readonly tieBreaker?: string
  items(site: SiteFacts): Promise<readonly SiteItem[]>
}

/** Creates the root field of a list. */
export function deployedList(list: DeployedList): SiteField {
  const {
    name,
    singularName: one,
    pluralName: many = `${one}s`,
    filter = `${many}FilterInput`,
    directives = ' @public',
    types,
    tieBreaker: last,
  } = list
  const filters = fileFilters(list.filters)
  return {
    kind: 'site',
    name,
    sdl: `${name}(filter: ${filter}, page: Int = 1, per_page: Int = 20, sort: [${many}SortInput!]): ${one}Collection!${directives}`,
    ...(types !== undefined && { types }),
    value: async (args, site) => itemPage(await list.items(site), args, filters, last),
  }
}
