/** Checks and classifies the paths of a site's files, which come from clients. */

const MAX_PATH_LENGTH = 1_000
const MAX_NAME_LENGTH = 255
const MAX_DEPTH = 60

/** Returns why a name cannot be the path of a site's file; null when it can. */
export function pathProblem(name: string): string | null {
  const parts = name.split('/')
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return `the name '${shorten(name)}' is absolute`
  if (parts.includes('..')) return `the name '${shorten(name)}' leads out of the site`
  const isPlain = parts.every(
    (part) => part !== '' && part !== '.' && !/[\\\p{Cc}]/u.test(part) && Buffer.byteLength(part) <= MAX_NAME_LENGTH,
  )
  if (!isPlain || Buffer.byteLength(name) > MAX_PATH_LENGTH || parts.length > MAX_DEPTH)
    return `the name '${shorten(name)}' is not a valid path of a file`
  return null
}

function shorten(name: string): string {
  return name.length > 200 ? `${name.slice(0, 200)}…` : name
}

/** Returns whether a path is one of a site's files. */
export function isOfSite(path: string): boolean {
  return /^(?:app|marketplace_builder|modules\/[^/]+)\/./.test(path) || ROOT_FILES.has(path)
}

/** Files in the root folder of a site. */
const ROOT_FILES: ReadonlySet<string> = new Set(['pos-module.json', 'pos-module.lock.json', 'template-values.json'])

/** Returns whether a path is the configuration file of a site. */
export function isConfig(path: string): boolean {
  return /^(?:app|marketplace_builder)\/config\.yml$/.test(path)
}

/** Returns whether a path is an asset, which clients send apart from the rest of the site. */
export function isAsset(path: string): boolean {
  return /^(?:(?:app|marketplace_builder)|modules\/[^/]+\/(?:public|private))\/assets\//.test(path)
}

/** Returns whether a path is a private asset of a module. */
export function isPrivateAsset(path: string): boolean {
  return /^modules\/[^/]+\/private\/assets\//.test(path)
}

/** The folder of an asset in a module: public, or only for the module itself. */
export type AssetPlace = 'public' | 'private'

/**
 * Returns the path of an asset.
 * @param name relative to the folder of assets; those of modules begin with `modules/` and the module's name
 * @param folder folder of the application: `app`
 */
export function assetPath(name: string, folder: string, place: AssetPlace = 'public'): string {
  const [, module, rest] = /^modules\/([^/]+)\/(?:(?:public|private)\/assets\/)?(.+)$/.exec(name) ?? []
  if (module !== undefined && rest !== undefined) return `modules/${module}/${place}/assets/${rest}`
  return `${folder}/assets/${name}`
}

/** Names of the kinds of files in reports, by folder. */
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

/** Kinds of files that only affect modules, so that an edit of the release can replace them. */
const EDITABLE_KINDS: ReadonlySet<string> = new Set([
  'Page',
  'Partial',
  'Layout',
  'GraphQL',
  'FormConfiguration',
  'AuthorizationPolicy',
  'Notification',
  'Translation',
])

/** Returns whether a change of a file affects only modules of a release. */
export function isEditable(path: string): boolean {
  return EDITABLE_KINDS.has(kindOf(path))
}

/** Returns whether a change of a file may affect tables, or properties of users. */
export function declaresData(path: string): boolean {
  return ['Schema', 'Other'].includes(kindOf(path))
}

/** Returns the kind of a file, for the report of a deploy. */
export function kindOf(path: string): string {
  const inside = path.replace(/^(?:app|marketplace_builder|modules\/[^/]+\/(?:public|private))\//, '')
  return KINDS.find(([pattern]) => pattern.test(inside))?.[1] ?? 'Other'
}
