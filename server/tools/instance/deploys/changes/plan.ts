/**
 * Plans changes of files: from what mutations ask for and the files of the site to the texts of the changed files. It runs where the changes are made, one
 * request after the other, so that simultaneous changes of a file do not overwrite each other.
 */
import { isObject } from '../../../../../runtime/data/values/json-data.ts'
import type { SiteChange } from '../../../../../runtime/data/query/change-model.ts'
import type { TreeFile } from '../archive.ts'
import type { Tree } from '../site.ts'
import { FILE_TYPES, type FileType, PROPERTY_FILES } from './file-types.ts'
import { PathFault, type PlacedFile, placeFile } from './place.ts'
import { addProperty, changeProperties, changeProperty, removeProperty } from './properties.ts'
import { RefusedChange } from './refused-change.ts'
import { editTemplate, newTemplate, type SettingEdit, SettingsDocument, SettingsFault } from './settings.ts'

/** The files that changes begin with. */
interface PlanSource {
  readonly tree: Tree
  /** Returns the text of a file of the site. */
  readonly read: (path: string) => Promise<string>
  /** Returns the uploaded assets with these names. */
  readonly sent: (names: readonly string[]) => Promise<Tree>
}

export interface PlannedChanges {
  /** The new texts of files by path; null for removed ones. */
  readonly texts: ReadonlyMap<string, string | null>
  /** The old paths of moved files with the same bytes, by their new paths. */
  readonly moved: ReadonlyMap<string, string>
  /** Uploaded files by path. */
  readonly uploaded: Tree
  /** The paths of the changed files of each change. */
  readonly changed: readonly (readonly string[])[]
}

type Values = Readonly<Record<string, unknown>>

/**
 * Plans changes, each on the result of the ones before it.
 * @throws RefusedChange
 */
export async function planChanges(changes: readonly SiteChange[], source: PlanSource): Promise<PlannedChanges> {
  const files = new PlannedFiles(source)
  const changed: (readonly string[])[] = []
  for (const [at, change] of changes.entries())
    try {
      changed.push(await planChange(change, files))
    } catch (error) {
      if (error instanceof PathFault || error instanceof Refused) throw new RefusedChange(error.message, at)
      throw error
    }
  return { texts: files.texts, moved: files.moved, uploaded: files.uploaded, changed }
}

/** Thrown for a change that is refused, before its index is known. */
class Refused extends Error {}

/** The files of the site, with the changes so far. */
class PlannedFiles {
  readonly tree: Tree
  readonly texts = new Map<string, string | null>()
  readonly moved = new Map<string, string>()
  readonly uploaded = new Map<string, TreeFile>()
  readonly #source: PlanSource

  constructor(source: PlanSource) {
    this.tree = source.tree
    this.#source = source
  }

  has(path: string): boolean {
    const text = this.texts.get(path)
    if (this.moved.has(path) || this.uploaded.has(path)) return true
    return text === undefined ? this.tree.has(path) : text !== null
  }

  async text(path: string): Promise<string> {
    return this.texts.get(path) ?? this.#source.read(path)
  }

  sent(names: readonly string[]): Promise<Tree> {
    return this.#source.sent(names)
  }

  remove(path: string): void {
    this.moved.delete(path)
    this.uploaded.delete(path)
    this.texts.set(path, null)
  }

  /** Adds or replaces a file by an uploaded one. @throws Refused when a folder is in its place */
  upload(path: string, file: TreeFile): void {
    if (!this.has(path)) this.#requirePlace(path)
    this.moved.delete(path)
    this.texts.delete(path)
    this.uploaded.set(path, file)
  }

  /** Moves a file with its bytes. @throws Refused when there is a file in its place */
  move(path: string, to: string): void {
    const source = this.moved.get(path) ?? path
    const file = this.uploaded.get(path)
    this.remove(path)
    this.#requirePlace(to)
    this.texts.delete(to)
    if (file === undefined) this.moved.set(to, source)
    else this.uploaded.set(to, file)
  }

  /** Adds a file. @throws Refused when there is a file in its place */
  add(path: string, text: string): void {
    this.#requirePlace(path)
    this.texts.set(path, text)
  }

  #requirePlace(path: string): void {
    if (this.has(path))
      throw new Refused(`There is already a file \`${path}\`: update it, or choose another \`physical_file_path\`.`)
    // Also one that is removed, because its folder may stay on a disk.
    const other = [...this.tree.keys(), ...this.texts.keys()].find(
      (each) => each.startsWith(`${path}/`) || path.startsWith(`${each}/`),
    )
    if (other !== undefined)
      throw new Refused(`\`${path}\` and the existing file \`${other}\` cannot both exist: choose another path.`)
  }
}

function planChange(change: SiteChange, files: PlannedFiles): Promise<readonly string[]> {
  if (change.type === 'property') return planProperty(change, files)
  const type = FILE_TYPES[change.type]
  if (change.type === 'asset' && change.action === 'create') return addAssets(change, type, files)
  if (change.action === 'create') return createFile(change, type, files)
  return change.action === 'update' ? updateFiles(change, type, files) : deleteFiles(change, type, files)
}

// ---- files ---------------------------------------------------------------------------------------------------------------

async function createFile({ values }: SiteChange, type: FileType, files: PlannedFiles): Promise<readonly string[]> {
  const file = placeFile(newPath(values, type), type, files.tree, true)
  const edits = editsOf(values, type, file)
  files.add(
    file.path,
    withFileInFaults(file.path, () => newText(values, type, edits)),
  )
  return [file.path]
}

function newText(values: Values, type: FileType, edits: readonly SettingEdit[]): string {
  const body = type.body === null ? '' : textOf(values[type.body])
  if (type.extension === '.graphql') return body
  if (type.extension === '.liquid') return newTemplate(edits, body)
  return editedYaml('', edits, values)
}

/** Adds uploaded assets. Those that exist are replaced. */
async function addAssets({ values }: SiteChange, type: FileType, files: PlannedFiles): Promise<readonly string[]> {
  const assets = Array.isArray(values['assets']) ? values['assets'].filter(isObject) : []
  const names = assets.map(({ name }) => String(name))
  const sent = await files.sent(names)
  return assets.map(({ name: _, physical_file_path: path, file_size: size = null, url: _url, ...settings }, at) => {
    const name = names[at] ?? ''
    const file = sent.get(name)
    if (file === undefined)
      throw new Refused(
        `The asset \`${name}\` was not uploaded: send it to the \`upload_url\` of \`admin_assets_presign_urls\` first.`,
      )
    if (size !== null && size !== file.size)
      throw new Refused(
        `\`file_size\` is refused: the uploaded asset \`${name}\` has ${file.size} bytes, not ${String(size)}.`,
      )
    const placed = placeFile(moduleAsset(String(path)), type, files.tree, true)
    editsOf(settings, type, placed)
    files.upload(placed.path, file)
    return placed.path
  })
}

/** Clients write the asset of a module also as the module's name and the path in it, such as `shop/public/assets/logo.png`. */
function moduleAsset(path: string): string {
  return /^[^/]+\/(?:public|private)\/assets\//.test(path) ? `modules/${path}` : path
}

/** Returns the path of a new file, as the client gives it or as the name determines it. @throws Refused */
function newPath(
  { physical_file_path: path = null, path: called = null, name = null, format = null }: Values,
  type: FileType,
): string {
  if (path !== null) return String(path)
  const stem = type.path === null ? name : called
  if (stem === null) throw new Refused(`Give the \`physical_file_path\` of the ${type.noun}.`)
  const ending = type.hasFormatInName === true && format !== null && format !== 'html' ? `.${String(format)}` : ''
  const [, module, rest = String(stem)] = /^modules\/([^/]+)\/(.+)$/.exec(String(stem)) ?? []
  const folder = module === undefined ? '' : `modules/${module}/public/`
  return `${folder}${type.folders[0]}/${rest}${ending}${type.extension}`
}

async function updateFiles(change: SiteChange, type: FileType, files: PlannedFiles): Promise<readonly string[]> {
  const { values } = change
  const path = values['physical_file_path'] ?? null
  const found = findFiles(change, type, files)
  if (path !== null && found.length > 1)
    throw new Refused(`The filter matches ${found.length} files, which cannot all be moved to \`${String(path)}\`.`)
  const changed: string[] = []
  for (const old of found) {
    const file = path === null ? old : placeFile(String(path), type, files.tree, true)
    const edits = editsOf(values, type, file)
    changed.push(file.path)
    if (type.isBinary === true) {
      if (file.path !== old.path) files.move(old.path, file.path)
      continue
    }
    const text = await files.text(old.path)
    const edited = withFileInFaults(old.path, () => editedText(text, values, type, edits))
    if (file.path !== old.path) {
      files.remove(old.path)
      files.add(file.path, edited)
    } else if (edited !== text) files.texts.set(file.path, edited)
  }
  return changed
}

function editedText(text: string, values: Values, type: FileType, edits: readonly SettingEdit[]): string {
  const given = type.body === null ? undefined : values[type.body]
  const body = given === undefined ? null : textOf(given)
  if (type.extension === '.graphql') return body ?? text
  if (type.extension === '.yml') return editedYaml(text, edits, values)
  return edits.length === 0 && body === null ? text : editTemplate(text, edits, body)
}

function editedYaml(text: string, edits: readonly SettingEdit[], values: Values): string {
  const properties = values['properties']
  if (edits.length === 0 && !Array.isArray(properties)) return text
  const document = new SettingsDocument(text)
  for (const edit of edits) document.edit(edit)
  if (Array.isArray(properties)) changeProperties(document, properties.filter(isObject))
  return document.text()
}

async function deleteFiles(change: SiteChange, type: FileType, files: PlannedFiles): Promise<readonly string[]> {
  const found = findFiles(change, type, files)
  for (const { path } of found) files.remove(path)
  return found.map(({ path }) => path)
}

/** Returns the existing files of a change. @throws Refused, PathFault */
function findFiles({ files: paths, isMatch }: SiteChange, type: FileType, files: PlannedFiles): readonly PlacedFile[] {
  return paths.flatMap((path) => {
    const file = placeFile(path, type, files.tree, false)
    if (files.has(file.path)) return [file]
    // Another change may have removed a file that has matched a filter.
    if (isMatch) return []
    throw new Refused(`There is no ${type.noun} \`${path}\`.`)
  })
}

/** The arguments that are not settings. */
const OTHERS: ReadonlySet<string> = new Set(['physical_file_path', 'properties', 'path'])

/** Returns the changes of settings that arguments make. @throws Refused */
function editsOf(values: Values, type: FileType, file: PlacedFile): readonly SettingEdit[] {
  return [
    ...pathEdits(values, type, file),
    ...Object.entries(values).flatMap(([name, value]) => argumentEdits(name, value, type, file)),
  ]
}

function argumentEdits(name: string, value: unknown, type: FileType, file: PlacedFile): readonly SettingEdit[] {
  if (name === type.body) return type.bodySetting === undefined ? [] : [{ keys: [type.bodySetting], value: null }]
  if (name === 'format' && type.hasFormatInName === true) {
    requireFormat(value, type, file)
    return []
  }
  if (OTHERS.has(name)) return []
  const write = Object.hasOwn(type.settings, name) ? type.settings[name] : undefined
  if (write === undefined) throw new Error(`${type.noun} has no setting for the argument ${name}`)
  const edits = write(value)
  if (typeof edits === 'string') throw new Refused(`\`${name}\` is refused: ${edits}.`)
  return edits
}

/** The name of a file is part of its path. A partial can also have another name. @throws Refused */
function pathEdits(
  { path = null }: Values,
  { path: kind, noun, extension }: FileType,
  file: PlacedFile,
): readonly SettingEdit[] {
  if (path === null || kind === null) return []
  const isSame = path === file.name || path === file.stem
  if (kind === 'alias') return [{ keys: ['path'], value: isSame ? null : path }]
  if (isSame) return []
  throw new Refused(
    `\`path\` is refused: the name of a ${noun} is that of its file. Give \`physical_file_path\` with \`${String(path)}${extension}\`.`,
  )
}

/** @throws Refused when the name of a file has another format */
function requireFormat(format: unknown, { noun, extension }: FileType, file: PlacedFile): void {
  const known = file.format ?? 'html'
  if (format === null || format === known) return
  const path = `${file.path.slice(0, -extension.length - (file.format === null ? 0 : file.format.length + 1))}.${String(format)}${extension}`
  throw new Refused(`The format of a ${noun} is in the name of its file: give the \`physical_file_path\` \`${path}\`.`)
}

// ---- properties ----------------------------------------------------------------------------------------------------------

async function planProperty(
  { action, values, files: [sent = ''], property }: SiteChange,
  files: PlannedFiles,
): Promise<readonly string[]> {
  const { path } = placeFile(sent, PROPERTY_FILES, files.tree, true)
  const isThere = files.has(path)
  // The first property of users makes their file.
  if (!isThere && !(action === 'create' && path.endsWith(`/${PROPERTY_FILES.single}`)))
    throw new Refused(`There is no file \`${path}\`.`)
  const text = isThere ? await files.text(path) : ''
  const edited = withFileInFaults(path, () => {
    const document = new SettingsDocument(text)
    if (action === 'create') addProperty(document, values)
    else if (action === 'update') changeProperty(document, property ?? '', values)
    else removeProperty(document, property ?? '')
    return document.text()
  })
  if (isThere) files.texts.set(path, edited)
  else files.add(path, edited)
  return [path]
}

function withFileInFaults<T>(path: string, body: () => T): T {
  try {
    return body()
  } catch (error) {
    if (error instanceof SettingsFault) throw new Refused(`\`${path}\` ${error.message}.`)
    throw error
  }
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}
