/** Defines the root fields that change files of the site. */
import { type ItemFilters, itemPage } from '../memory-collection.ts'
import { type ChangeField, valueError } from '../model.ts'
import { changes } from '../sdl/changes.ts'
import type { SiteFacts, SiteItem } from '../site-facts.ts'
import type { ChangeAction, ChangedType, SiteChange, SiteChangeCall } from '../change-model.ts'
import { FORM_FILTERS, fileFilters, MAIL_FILTERS, TEMPLATE_FILTERS, textFilters } from './deployed-list.ts'
import { PAGE_FILTERS } from './pages.ts'
import { isObject } from '../../values/json-data.ts'

type Args = Readonly<Record<string, unknown>>

/** The lists of files of a type. */
interface FileType {
  /** What a file is called in messages. */
  readonly noun: string
  /** The name of the argument with the values. */
  readonly argument: string
  items(site: SiteFacts): Promise<readonly SiteItem[]>
  /** The filter keys of the mutations that change all matching files. */
  readonly filters?: ItemFilters
  /** Whether the number of deleted files is returned as a text. */
  readonly hasTextCount?: true
}

const TYPES: Readonly<Record<Exclude<ChangedType, 'property'>, FileType>> = {
  page: { noun: 'page', argument: 'page', items: (site) => site.pages(), filters: PAGE_FILTERS },
  liquid_partial: {
    noun: 'partial',
    argument: 'liquid_partial',
    items: (site) => site.partials(),
    filters: fileFilters(TEMPLATE_FILTERS),
  },
  liquid_layout: {
    noun: 'layout',
    argument: 'liquid_layout',
    items: (site) => site.layouts(),
    filters: fileFilters(TEMPLATE_FILTERS),
  },
  graphql: { noun: 'stored query', argument: 'graphql', items: storedQueries },
  authorization_policy: {
    noun: 'authorization policy',
    argument: 'authorization_policy',
    items: (site) => site.policies(),
  },
  email_notification: {
    noun: 'mail',
    argument: 'email_notification',
    items: (site) => site.formsAndNotifications('emails'),
    filters: fileFilters(MAIL_FILTERS),
  },
  sms_notification: {
    noun: 'text message',
    argument: 'sms_notification',
    items: (site) => site.formsAndNotifications('smses'),
  },
  api_call_notification: {
    noun: 'API call',
    argument: 'api_call_notification',
    items: (site) => site.formsAndNotifications('apiCalls'),
  },
  table: { noun: 'table', argument: 'table', items: (site) => site.tables() },
  model_schema: { noun: 'table', argument: 'model_schema', items: (site) => site.tables() },
  user_profile_schema: {
    noun: 'profile type',
    argument: 'user_profile_schema',
    items: (site) => site.profileSchemas(),
  },
  form: {
    noun: 'form',
    argument: 'form',
    items: (site) => site.formsAndNotifications('forms'),
    filters: fileFilters(FORM_FILTERS),
  },
  asset: {
    noun: 'asset',
    argument: 'asset',
    items: (site) => site.assets(),
    filters: fileFilters({ ...textFilters('name'), deleted_at: 'date' }),
    hasTextCount: true,
  },
}

async function storedQueries(site: SiteFacts): Promise<readonly SiteItem[]> {
  return (await site.operations()).map((item) => ({ ...item, body: item['query_string'] }))
}

/**
 * Creates the root field of a mutation.
 * @param sdl its line in the schema, which begins with its name
 */
export function siteChange(
  sdl: string,
  type: ChangedType,
  action: ChangeAction | 'update_all' | 'delete_all',
): ChangeField {
  const plan = type === 'property' ? planProperty : planFiles
  return {
    kind: 'change',
    name: sdl.slice(0, sdl.indexOf('(')),
    sdl,
    types: changes,
    plan: (args, site) => plan(args, site, action, type),
  }
}

async function planFiles(
  args: Args,
  site: SiteFacts,
  action: ChangeAction | 'update_all' | 'delete_all',
  type: ChangedType,
): Promise<SiteChangeCall> {
  if (type === 'property') throw new Error('a property is not a file')
  const list = TYPES[type]
  const values = await withNamedPolicies(fieldsOf(args[list.argument]), site)
  if (action === 'create')
    return {
      change: {
        type,
        action,
        files: [],
        isMatch: false,
        values: await withNamedProperties(values, null),
        property: null,
      },
      read: readItem(list),
    }
  const items = await list.items(site)
  if (action === 'update_all' || action === 'delete_all') {
    const { results } = await itemPage(items, { filter: args['filter'], per_page: items.length }, list.filters ?? {})
    const change: SiteChange = {
      type,
      action: action === 'update_all' ? 'update' : 'delete',
      files: results.map(fileOf),
      isMatch: true,
      values,
      property: null,
    }
    const isText = action === 'delete_all' && list.hasTextCount === true
    return { change, read: async (_site, { length: count }) => (isText ? String(count) : { count }) }
  }
  const file = findFile(args, items, list.noun)
  const change = { type, action, files: [file], isMatch: false, property: null }
  const item = items.find((each) => fileOf(each) === file || fileOf(each) === `app/${file}`) ?? null
  // The item before the change, because the site has none afterwards.
  if (action === 'delete') return { change: { ...change, values: {} }, read: async () => item }
  return { change: { ...change, values: await withNamedProperties(values, item) }, read: readItem(list) }
}

/** Returns the path of the file that the arguments `id` and `physical_file_path` name. @throws QueryError */
function findFile(
  { id = null, physical_file_path: path = null }: Args,
  items: readonly SiteItem[],
  noun: string,
): string {
  if (id === null && path === null) throw valueError(`Give the \`id\` of the ${noun}, or its \`physical_file_path\`.`)
  if (id === null) return String(path)
  const item = items.find((each) => each['id'] === id)
  if (item === undefined) throw valueError(`There is no ${noun} with the id \`${String(id)}\`.`)
  const file = fileOf(item)
  if (path !== null && file !== path && !file.endsWith(`/${String(path)}`))
    throw valueError(
      `The ${noun} with the id \`${String(id)}\` is \`${file}\`, not \`${String(path)}\`: give only one of both.`,
    )
  return file
}

function readItem({ items }: FileType): SiteChangeCall['read'] {
  return async (site, [file]) => (await items(site)).find((each) => fileOf(each) === file) ?? null
}

function fileOf(item: SiteItem): string {
  return String(item['physical_file_path'])
}

function fieldsOf(value: unknown): Args {
  return isObject(value) ? value : {}
}

/** Replaces ids of policies by their names. @throws QueryError for an unknown id */
async function withNamedPolicies(values: Args, site: SiteFacts): Promise<Args> {
  const { authorization_policy_ids: ids = null, ...others } = values
  if (!Array.isArray(ids)) return others
  if (Array.isArray(others['authorization_policies']))
    throw valueError('Give `authorization_policies` or `authorization_policy_ids`, not both.')
  const policies = await site.policies()
  const names = ids.map((id: unknown) => {
    const policy = policies.find((each) => each['id'] === String(id))
    if (policy === undefined) throw valueError(`There is no authorization policy with the id \`${String(id)}\`.`)
    return policy['name']
  })
  return { ...others, authorization_policies: names }
}

/** Replaces the ids of a table's properties by the names that they have. @param table the table; null for a new one @throws QueryError */
async function withNamedProperties(values: Args, table: SiteItem | null): Promise<Args> {
  const given = values['properties'] ?? values['fields']
  if (!Array.isArray(given)) return values
  const known = table === null ? [] : await itemsOf(table['properties'])
  const properties = given.filter(isObject).map(({ id = null, ...property }) => {
    if (id === null) return { ...property, was: property['name'] }
    const found = known.find((each) => each['id'] === String(id))
    if (found === undefined) throw valueError(`The table has no property with the id \`${String(id)}\`.`)
    return { ...property, was: found['name'] }
  })
  const { fields: _, ...others } = values
  return { ...others, properties }
}

async function itemsOf(value: unknown): Promise<readonly SiteItem[]> {
  const items: unknown = typeof value === 'function' ? await value() : value
  return Array.isArray(items) ? items.filter(isObject) : []
}

// ---- properties -----------------------------------------------------------------------------------------------------------

/** What has properties, with the file that declares them. */
interface PropertyTarget {
  readonly file: string
  properties(site: SiteFacts): Promise<readonly SiteItem[]>
}

/** The file that declares the properties of users, below the folder of the application. */
const USER_FILE = 'user.yml'
const USERS: PropertyTarget = { file: USER_FILE, properties: async (site) => site.userSchema() }

async function planProperty(
  args: Args,
  site: SiteFacts,
  action: ChangeAction | 'update_all' | 'delete_all',
): Promise<SiteChangeCall> {
  const type = 'property'
  const {
    target_type: targetType = null,
    target_id: targetId = null,
    ...values
  } = fieldsOf(args['property'] ?? args['field'])
  if (action === 'create') {
    const target = await findTarget(String(targetType), targetId, site)
    const name = String(values['name'])
    const change = { type, action: 'create', files: [target.file], isMatch: false, values, property: name } as const
    return { change, read: readProperty(target, name) }
  }
  const id = String(args['id'])
  const found = await findProperty(id, site)
  if (found === null) throw valueError(`There is no property with the id \`${id}\`.`)
  const { target, item } = found
  const name = String(item['name'])
  const files = [target.file]
  if (action === 'delete')
    return { change: { type, action, files, isMatch: false, values: {}, property: name }, read: async () => item }
  const isMoved =
    (targetType !== null && targetType !== modelType(item)) || (targetId !== null && targetId !== item['target_id'])
  if (isMoved) throw valueError('A property stays where it is: create another one there, and delete this one.')
  const newName = typeof values['name'] === 'string' ? values['name'] : name
  return {
    change: { type, action: 'update', files, isMatch: false, values, property: name },
    read: readProperty(target, newName),
  }
}

/** The type of a property's target, as in the arguments of mutations. */
function modelType(item: SiteItem): unknown {
  return item['target_type'] === 'Table' ? 'ModelSchema' : item['target_type']
}

function readProperty(target: PropertyTarget, name: string): SiteChangeCall['read'] {
  return async (site) => (await target.properties(site)).find((each) => each['name'] === name) ?? null
}

/** Returns the table or profile type of a property. @throws QueryError when it does not exist */
async function findTarget(type: string, id: unknown, site: SiteFacts): Promise<PropertyTarget> {
  if (type === 'User') return USERS
  const [noun, list] = type === 'ModelSchema' ? (['table', tables] as const) : (['profile type', profiles] as const)
  if (id === null) throw valueError(`Give the \`target_id\` of the ${noun}.`)
  const item = (await list(site)).find((each) => each['id'] === String(id))
  if (item === undefined) throw valueError(`There is no ${noun} with the id \`${String(id)}\`.`)
  return declaring(item, list)
}

const tables = (site: SiteFacts): Promise<readonly SiteItem[]> => site.tables()
const profiles = (site: SiteFacts): Promise<readonly SiteItem[]> => site.profileSchemas()

function declaring(item: SiteItem, list: typeof tables): PropertyTarget {
  const file = fileOf(item)
  return {
    file,
    properties: async (site) => itemsOf((await list(site)).find((each) => fileOf(each) === file)?.['properties']),
  }
}

/** Finds a property of any table, of users or of a profile type by its id. */
async function findProperty(
  id: string,
  site: SiteFacts,
): Promise<{ readonly target: PropertyTarget; readonly item: SiteItem } | null> {
  for (const list of [tables, profiles])
    for (const owner of await list(site)) {
      const item = (await itemsOf(owner['properties'])).find((each) => each['id'] === id)
      if (item !== undefined) return { target: declaring(owner, list), item }
    }
  const item = site.userSchema().find((each) => each['id'] === id)
  return item === undefined ? null : { target: USERS, item }
}
