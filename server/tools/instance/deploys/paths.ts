/** Paths of the files that a site consists of, as they come from outside. */

const LONGEST = 1_000
const LONGEST_PART = 255
const DEEPEST = 60

/** Why a name cannot be the path of a file of a site; null where it can. */
export function pathProblem(name: string): string | null {
  const parts = name.split('/')
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return `the name '${shown(name)}' is absolute`
  if (parts.includes('..')) return `the name '${shown(name)}' leads out of the site`
  const isPlain = parts.every(
    (part) => part !== '' && part !== '.' && !/[\\\p{Cc}]/u.test(part) && Buffer.byteLength(part) <= LONGEST_PART,
  )
  if (!isPlain || Buffer.byteLength(name) > LONGEST || parts.length > DEEPEST)
    return `the name '${shown(name)}' is none of a file`
  return null
}

function shown(name: string): string {
  return name.length > 200 ? `${name.slice(0, 200)}…` : name
}

/** Whether a path is one of the files that make up a site. */
export function isOfSite(path: string): boolean {
  return /^(?:app|marketplace_builder|modules\/[^/]+)\/./.test(path) || BESIDE.has(path)
}

/** What stands beside the folders of a site. */
const BESIDE: ReadonlySet<string> = new Set(['pos-module.json', 'pos-module.lock.json', 'template-values.json'])

/** Whether a path is that of the configuration of a site. */
export function isConfig(path: string): boolean {
  return /^(?:app|marketplace_builder)\/config\.yml$/.test(path)
}

/** Whether a path is that of an asset, which is sent apart from the rest of the site. */
export function isAsset(path: string): boolean {
  return /^(?:(?:app|marketplace_builder)|modules\/[^/]+\/(?:public|private))\/assets\//.test(path)
}

/** Whether a path is that of a private asset of a module. */
export function isPrivateAsset(path: string): boolean {
  return /^modules\/[^/]+\/private\/assets\//.test(path)
}

/** Where assets stand: the folder of the application, and of modules those that others see, or only they themselves. */
export type AssetPlace = 'public' | 'private'

/**
 * The path of an asset.
 * @param name relative to the folder of assets; those of modules begin with `modules/` and the module's name
 * @param folder of the application: `app`
 */
export function assetPath(name: string, folder: string, place: AssetPlace = 'public'): string {
  const [, module, rest] = /^modules\/([^/]+)\/(?:(?:public|private)\/assets\/)?(.+)$/.exec(name) ?? []
  if (module !== undefined && rest !== undefined) return `modules/${module}/${place}/assets/${rest}`
  return `${folder}/assets/${name}`
}

/** How the report names files of a kind, by the folder that they stand in. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:views\/)?pages\//, 'Page'],
  [/^(?:views\/)?partials\/|^lib\//, 'Partial'],
  [/^(?:views\/)?layouts\//, 'Layout'],
  [/^graphql\/|^graph_queries\//, 'GraphQL'],
  [/^(?:schema|custom_model_types|model_schemas)\//, 'Schema'],
  [/^(?:forms|form_configurations)\//, 'FormConfiguration'],
  [/^authorization_policies\//, 'AuthorizationPolicy'],
  [/^(?:emails|smses|api_calls|notifications)\//, 'Notification'],
  [/^translations\//, 'Translation'],
  [/^assets\//, 'Asset'],
  [/^migrations\//, 'Migration'],
]

/** Kinds of files that modules alone are made of, so that an edit of the release can replace them. */
const EDITABLE: ReadonlySet<string> = new Set([
  'Page',
  'Partial',
  'Layout',
  'GraphQL',
  'FormConfiguration',
  'AuthorizationPolicy',
  'Notification',
  'Translation',
])

/** Whether a release stays what it is when a file changes, but for its modules. */
export function isEditable(path: string): boolean {
  return EDITABLE.has(kindOf(path))
}

/** Whether tables, or properties of users, may be others when a file changes. */
export function declaresData(path: string): boolean {
  return ['Schema', 'Other'].includes(kindOf(path))
}

/** The kind of a file, for the report of a deploy. */
export function kindOf(path: string): string {
  const inside = path.replace(/^(?:app|marketplace_builder|modules\/[^/]+\/(?:public|private))\//, '')
  return KINDS.find(([pattern]) => pattern.test(inside))?.[1] ?? 'Other'
}
