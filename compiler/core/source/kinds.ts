/** Determines the kind of a file from its path, with one table of folders in order of precedence. */
import { nearest } from '../../../runtime/data/query/suggest.ts'
import { type FileFormat, type FileKind, FORMATS, type SourceFile } from './file.ts'

export interface ClassifiedFile extends Omit<SourceFile, 'path' | 'text' | 'written'> {}

/** A file in the folders of a site that does not belong to it. `path` is the file, or the folder of all such files. */
export interface IgnoredFile {
  readonly reason: string
  readonly path: string
  /** The folder or file that was probably meant instead of `path`; null if there is none. */
  readonly suggestion: string | null
}

interface KindFolders {
  readonly kind: FileKind
  /** The current name comes first. */
  readonly folders: readonly string[]
  /** The extension that files in the folder need; null for any. */
  readonly extension: '.liquid' | '.yml' | '.graphql' | null
  /** Set if a known format in the file name is not part of the name. */
  readonly formats?: true
}

// The first matching row wins. So a folder of an earlier row may contain folders with names of later rows.
const ROWS: readonly KindFolders[] = [
  { kind: 'page', folders: ['views/pages', 'pages'], extension: null, formats: true },
  { kind: 'layout', folders: ['views/layouts'], extension: null, formats: true },
  { kind: 'partial', folders: ['views/partials', 'lib'], extension: null, formats: true },
  { kind: 'authorization_policy', folders: ['authorization_policies'], extension: '.liquid' },
  { kind: 'email', folders: ['emails', 'notifications/email_notifications'], extension: '.liquid' },
  { kind: 'api_call', folders: ['api_calls', 'notifications/api_call_notifications'], extension: '.liquid' },
  { kind: 'sms', folders: ['smses', 'notifications/sms_notifications'], extension: '.liquid' },
  { kind: 'migration', folders: ['migrations'], extension: '.liquid' },
  { kind: 'form', folders: ['form_configurations', 'forms'], extension: '.liquid' },
  { kind: 'table', folders: ['schema', 'custom_model_types', 'model_schemas'], extension: '.yml' },
  {
    kind: 'user_profile_schema',
    folders: ['user_profile_types', 'instance_profile_types', 'user_profile_schemas'],
    extension: '.yml',
  },
  { kind: 'translation', folders: ['translations'], extension: '.yml' },
  {
    kind: 'activity_handler',
    folders: ['activity_streams/handlers', 'activity_streams/grouping_handlers'],
    extension: '.yml',
  },
  { kind: 'graphql', folders: ['graphql', 'graph_queries', 'graphqls'], extension: '.graphql' },
  { kind: 'asset', folders: ['assets'], extension: null },
]

/** Folders of older sites that are not used any more. */
const OBSOLETE_FOLDERS: readonly string[] = [
  'mailers',
  'categories',
  'reservation_types',
  'content_holders',
  'workflows',
  'liquid_views',
  'transactable_types',
]

const SINGLE_FILES: Readonly<Record<string, FileKind>> = { 'config.yml': 'config', 'user.yml': 'user_schema' }

/** The location of files of a kind, relative to the root of the site. */
interface KindLocation {
  /** The folders, or the only file. The current name comes first. */
  readonly paths: readonly string[]
  /** The extension that files in the folder need; null for any. */
  readonly extension: string | null
}

/** Returns where an application keeps files of a kind. */
export function locationOf(kind: FileKind): KindLocation {
  const row = ROWS.find((each) => each.kind === kind)
  if (row !== undefined) return { paths: row.folders.map((folder) => `app/${folder}`), extension: row.extension }
  const single = Object.keys(SINGLE_FILES).find((file) => SINGLE_FILES[file] === kind)
  return { paths: single === undefined ? [] : [`app/${single}`], extension: null }
}

export const LINT_CONFIG = '.platformos-check.yml'

const APPLICATION = /^(app|marketplace_builder)\/(?!modules\/)(.+)$/
/** A path of a module in the root of its repository. */
const OWN_MODULE = /^(public|private)\/(.+)$/
const MODULE = /^(?:(app|marketplace_builder)\/)?modules\/([^/]+)\/(?:(public|private)\/)?(.+)$/

/**
 * Classifies the file at `path`, relative to the root of the site, with forward slashes. Returns null for files that the compiler does
 * not use, and a reason for files that look like site files but are not.
 * @param ownModule the module whose `public` and `private` folders are in the root folder; null for an ordinary site
 */
export function classify(path: string, ownModule: string | null = null): ClassifiedFile | IgnoredFile | null {
  if (path === LINT_CONFIG)
    return { kind: 'lint_config', name: 'lint', module: null, visibility: null, override: false, format: null }
  if (path.slice(path.lastIndexOf('/') + 1).startsWith('.')) return null
  const applicationFile = APPLICATION.exec(path)
  if (applicationFile !== null) {
    const [, folder = '', rest = ''] = applicationFile
    return classifyInApplication(path, folder, rest)
  }
  const ownModuleFile = ownModule === null ? null : OWN_MODULE.exec(path)
  if (ownModule !== null && ownModuleFile !== null) {
    const [, visibility, rest = ''] = ownModuleFile
    if (visibility === 'public' || visibility === 'private')
      return classifyInModule(path, rest, { module: ownModule, visibility, override: false })
  }
  const moduleFile = MODULE.exec(path)
  if (moduleFile === null) return null
  const [, root, module, visibility, rest] = moduleFile
  if (module === undefined || rest === undefined) return null
  if (visibility !== 'public' && visibility !== 'private') return reportMisplaced(path, rest)
  return classifyInModule(path, rest, { module, visibility, override: root !== undefined })
}

function classifyInModule(
  path: string,
  rest: string,
  membership: ModuleMembership,
): ClassifiedFile | IgnoredFile | null {
  if (SINGLE_FILES[rest] !== undefined)
    return { reason: `only \`app/${rest}\` is used, not the file of a module`, path, suggestion: null }
  return classifyBelow(path, rest, path.slice(0, path.length - rest.length), membership)
}

type ModuleMembership = Pick<ClassifiedFile, 'module' | 'visibility' | 'override'>

/** Request lists of `ingot test`. They are next to the Liquid tests, but they are not templates. */
const REQUEST_TESTS = /_test\.ya?ml$/

/** Returns whether a path is that of a list of requests, which `ingot test` sends. */
export function isRequestTest(path: string): boolean {
  return REQUEST_TESTS.test(path)
}

const NO_MODULE: ModuleMembership = { module: null, visibility: null, override: false }

/** Manifests of modules in the folder of older sites. They do not belong to the site and are not reported. */
const MANIFESTS: ReadonlySet<string> = new Set(['pos-modules.json', 'pos-modules.lock.json'])

function classifyInApplication(path: string, root: string, rest: string): ClassifiedFile | IgnoredFile | null {
  if (MANIFESTS.has(rest)) return null
  const single = SINGLE_FILES[rest]
  if (single !== undefined) return { kind: single, name: rest.slice(0, -'.yml'.length), format: null, ...NO_MODULE }
  return classifyBelow(path, rest, `${root}/`, NO_MODULE)
}

/** `rest` is the path below `root`, which ends with a slash. */
function classifyBelow(
  path: string,
  rest: string,
  root: string,
  membership: ModuleMembership,
): ClassifiedFile | IgnoredFile | null {
  const match = findRow(rest)
  if (match === null) return unknownFolder(path, rest, root, membership)
  const { row, folder } = match
  const pathInFolder = rest.slice(folder.length + 1)
  if (row.kind === 'partial' && REQUEST_TESTS.test(pathInFolder)) return null
  if (row.extension !== null && !pathInFolder.endsWith(row.extension))
    return { reason: `files in \`${folder}\` need the extension \`${row.extension}\``, path, suggestion: null }
  const nameWithFormat =
    row.kind === 'asset' ? pathInFolder : withoutExtension(pathInFolder, row.extension ?? '.liquid')
  const { name, format } = row.formats === true ? splitFormat(nameWithFormat) : { name: nameWithFormat, format: null }
  // A partial with any other extension is called by its full name. In a job, the extension still selects the escaping.
  if (row.kind === 'partial' && !pathInFolder.endsWith('.liquid'))
    return { kind: row.kind, name: inModule(pathInFolder, membership), format, ...membership }
  return { kind: row.kind, name: inModule(name, membership), format, ...membership }
}

function inModule(name: string, { module }: ModuleMembership): string {
  return module === null ? name : `modules/${module}/${name}`
}

/**
 * Returns the index of a file's folder among the folders of its kind. Of two files with one name, the one with the smaller index is
 * used.
 */
export function folderRank({ kind, path }: Pick<SourceFile, 'kind' | 'path'>): number {
  const row = ROWS.find((each) => each.kind === kind)
  const sitePath = MODULE.exec(path)?.[4] ?? APPLICATION.exec(path)?.[2] ?? OWN_MODULE.exec(path)?.[2] ?? path
  return Math.max(0, row?.folders.findIndex((folder) => sitePath.startsWith(`${folder}/`)) ?? 0)
}

/** Returns the name of a file as a partial. Next to layouts, it includes the folder. */
export function partialName({ kind, name, module, path, format }: SourceFile): string {
  if (kind !== 'layout') return name
  const prefix = module === null ? '' : `modules/${module}/`
  const ending = path.endsWith('.liquid') || format === null ? '' : `.${format}`
  return `${prefix}layouts/${name.slice(prefix.length)}${ending}`
}

function findRow(rest: string): { readonly row: KindFolders; readonly folder: string } | null {
  for (const row of ROWS) {
    const folder = row.folders.find((each) => rest.startsWith(`${each}/`))
    if (folder !== undefined) return { row, folder }
  }
  return null
}

function unknownFolder(path: string, rest: string, root: string, { module }: ModuleMembership): IgnoredFile {
  const segments = rest.split('/')
  const first = segments[0] ?? ''
  const makeReport = (suggestion: string | null) => (suggestion === null ? null : `${root}${suggestion}`)
  if (segments.length === 1) {
    const suggestion = module === null ? nearest(first, Object.keys(SINGLE_FILES)) : null
    return { reason: 'files of a site must be in the folder of their kind', path, suggestion: makeReport(suggestion) }
  }
  if (OBSOLETE_FOLDERS.includes(first))
    return { reason: `the folder \`${first}\` is obsolete`, path: `${root}${first}`, suggestion: null }
  const isInParentFolder = PARENT_FOLDERS.has(first) && segments.length > 2
  const folder = isInParentFolder ? `${first}/${segments[1]}` : first
  return {
    reason: `\`${folder}\` is not a folder of a site`,
    path: `${root}${folder}`,
    suggestion: makeReport(isInParentFolder ? nearest(folder, FOLDERS) : findSimilarFolder(first)),
  }
}

const FOLDERS: readonly string[] = ROWS.flatMap(({ folders }) => folders)
/** Folders by their last segment: `partials` for `views/partials`. */
const BY_NAME: ReadonlyMap<string, string> = new Map(
  FOLDERS.filter((folder) => folder.includes('/')).map((folder) => [folder.slice(folder.indexOf('/') + 1), folder]),
)
/** Folders that contain the folders of several kinds. */
const PARENT_FOLDERS: ReadonlySet<string> = new Set(
  [...BY_NAME.values()].map((folder) => folder.slice(0, folder.indexOf('/'))),
)

/** Returns the known folder or parent folder that is most similar to an unknown one. */
function findSimilarFolder(name: string): string | null {
  const exactMatch = BY_NAME.get(name)
  if (exactMatch !== undefined) return exactMatch
  const single = nearest(name, [...PARENT_FOLDERS, ...FOLDERS.filter((folder) => !folder.includes('/'))])
  return single ?? BY_NAME.get(nearest(name, BY_NAME.keys()) ?? '') ?? null
}

/** Returns a report for a module file outside of `public` and `private`, but only if it would be a site file in there. */
function reportMisplaced(path: string, rest: string): IgnoredFile | null {
  const root = path.slice(0, path.length - rest.length)
  const ignored = 'files of a module must be in its folder `public` or `private`'
  const match = findRow(rest)
  if (match !== null) return { reason: ignored, path: `${root}${match.folder}`, suggestion: null }
  const slash = rest.indexOf('/')
  const first = rest.slice(0, Math.max(0, slash))
  const suggestion = nearest(first, ['public', 'private'])
  if (suggestion === null || findRow(rest.slice(slash + 1)) === null) return null
  return { reason: ignored, path: `${root}${first}`, suggestion: `${root}${suggestion}` }
}

function withoutExtension(path: string, extension: string): string {
  return path.endsWith(extension) && path.length > extension.length ? path.slice(0, -extension.length) : path
}

/** Splits off a known format: `feed.rss` becomes `feed` and `rss`. `user.avatar` is unchanged, because `avatar` is not a format. */
function splitFormat(nameWithFormat: string): { name: string; format: FileFormat | null } {
  const dot = nameWithFormat.lastIndexOf('.')
  const ending = nameWithFormat.slice(dot + 1)
  const format = FORMATS.find((each) => each === ending)
  if (dot <= nameWithFormat.lastIndexOf('/') + 1 || format === undefined) return { name: nameWithFormat, format: null }
  return { name: nameWithFormat.slice(0, dot), format }
}
