/** Computes the files of the site after a request. */
import { readFile } from 'node:fs/promises'
import type { Sql } from 'postgres'
import { ArchiveFault, foldName, type TreeFile, unpackArchive, type UnpackListener } from './archive.ts'
import { type BlobFolder, storeFile } from './blobs.ts'
import { assetPath, isAsset, isOfSite, kindOf, pathProblem } from './paths.ts'
import { type DeployReport, type DeployRequest, findDeploy, storePlan } from './rows.ts'
import { appFolder, type Tree } from './site.ts'

/** Thrown for a request that is refused. The site stays unchanged. */
export class DeployRefused extends Error {
  override readonly name = 'DeployRefused'
}

type RequestOf<K extends DeployRequest['kind']> = Extract<DeployRequest, { kind: K }>

/** The files of the site after a deploy. */
export interface DeployedTree {
  readonly tree: Tree
  /** Whether the archive contains no assets; they may be sent after it. */
  readonly lacksAssets: boolean
  /** Whether the request only asked for a report of the changes. */
  readonly isReportOnly?: boolean
  /** The paths of the changed files of each change. */
  readonly changed?: readonly (readonly string[])[]
}

/** Returns the files after a deploy. @throws DeployRefused */
export async function deployedTree(
  sql: Sql,
  { archive, partial }: RequestOf<'deploy'>,
  oldTree: Tree,
  blobs: BlobFolder,
  listener: UnpackListener,
): Promise<DeployedTree> {
  const sentTree = await unpack(await blobs.get(sql, archive), isOfSite, blobs, listener)
  const paths = [...sentTree.keys()]
  if (paths.length === 0)
    throw new DeployRefused('The archive contains no site: put its files into `app` or `modules`.')
  const old = paths.some((path) => path.startsWith('marketplace_builder/'))
  if (old && paths.some((path) => path.startsWith('app/')))
    throw new DeployRefused('The archive has both `app` and `marketplace_builder`: use only one of them.')
  // Clients send assets separately, after the site, unless the archive contains them.
  const lacksAssets = !paths.some(isAsset)
  if (partial) return { tree: mergeFiles(oldTree, sentTree), lacksAssets }
  const kept = lacksAssets ? [...oldTree].filter(([path]) => isAsset(path)) : []
  return { tree: new Map([...kept, ...sentTree]), lacksAssets }
}

/** Returns the files with one changed file. @throws DeployRefused */
export function syncedTree({ path: sent, file }: RequestOf<'sync'>, oldTree: Tree): Tree {
  const path = isOfSite(sent) ? sent : `${appFolder(oldTree)}/${sent}`
  const problem = pathProblem(path)
  if (problem !== null || !isOfSite(path))
    throw new DeployRefused(`'${sent}' is not a path of a site's file${problem === null ? '' : `: ${problem}`}`)
  if (file !== null) return mergeFiles(oldTree, new Map([[path, file]]))
  const files = new Map(oldTree)
  files.delete(path)
  return files
}

/** Returns the files after the changes of mutations. @param id of the request @throws RefusedChange, DeployRefused */
export async function changedTree(
  sql: Sql,
  id: string,
  request: RequestOf<'change'>,
  oldTree: Tree,
  blobs: BlobFolder,
): Promise<DeployedTree> {
  const { files, changed } = request.plan ?? (await planFiles(sql, id, request, oldTree, blobs))
  const newTree = new Map(oldTree)
  const added = new Map<string, TreeFile>()
  for (const [path, file] of Object.entries(files))
    if (file === null) newTree.delete(path)
    else added.set(path, file)
  return { tree: mergeFiles(newTree, added), lacksAssets: false, changed }
}

/** Plans the changed files of a request, and stores them with it. */
async function planFiles(
  sql: Sql,
  id: string,
  { changes }: RequestOf<'change'>,
  oldTree: Tree,
  blobs: BlobFolder,
): Promise<NonNullable<RequestOf<'change'>['plan']>> {
  const { planChanges } = await import('./changes/plan.ts')
  const read = async (path: string): Promise<string> =>
    readFile(await blobs.get(sql, fileAt(oldTree, path).digest), 'utf8')
  const sent = (names: readonly string[]) => sentAssets(sql, names)
  const { texts, moved, uploaded, changed } = await planChanges(changes, { tree: oldTree, read, sent })
  const files: Record<string, TreeFile | null> = {}
  for (const [path, text] of texts) files[path] = text === null ? null : await storeFile(sql, Buffer.from(text))
  for (const [path, from] of moved) files[path] = fileAt(oldTree, from)
  for (const [path, file] of uploaded) files[path] = file
  const plan = { files, changed: changed.map((paths) => [...paths]) }
  await storePlan(sql, id, plan)
  return plan
}

function fileAt(tree: Tree, path: string): TreeFile {
  const file = tree.get(path)
  if (file === undefined) throw new Error(`the site has no file ${path}`)
  return file
}

/** Returns the files without those of a module. Overrides in the application stay. @throws DeployRefused when there is no such module */
export function treeWithout({ module }: RequestOf<'removal'>, oldTree: Tree): Tree {
  const files = new Map([...oldTree].filter(([path]) => !path.startsWith(`modules/${module}/`)))
  if (files.size === oldTree.size) throw new DeployRefused(`The site has no module '${module}'.`)
  return files
}

/**
 * Returns the files with the assets of a manifest. Assets that it does not list are removed only if it belongs to a full deploy.
 * @throws DeployRefused
 */
export async function assetTree(sql: Sql, manifest: RequestOf<'assets'>, oldTree: Tree): Promise<DeployedTree> {
  const { names, release } = manifest
  const of = release === null ? null : await findDeploy(sql, release)
  const request = of?.request.kind === 'deploy' ? of.request : null
  const isReportOnly = request?.dryRun === true
  const folder = appFolder(oldTree)
  const hidden = new Set(manifest.private)
  const pathOf = (name: string, isHidden: boolean) => assetPath(name, folder, isHidden ? 'private' : 'public')
  const paths = new Map(names.map((name) => [pathOf(name, hidden.has(name)), name]))
  const sentTree = isReportOnly ? reportedAssets(manifest, paths, oldTree) : await sentAssets(sql, names)
  const missing = [...paths].filter(([path, name]) => !sentTree.has(name) && !oldTree.has(path))
  if (missing.length > 0) {
    const list = missing.slice(0, 20).map(([, name]) => `\n  - ${name}`)
    throw new DeployRefused(`${missing.length} assets of the manifest were not sent:${list.join('')}`)
  }
  const files = new Map<string, TreeFile>()
  for (const [path, name] of paths) {
    const problem = pathProblem(path)
    if (problem !== null) throw new DeployRefused(problem)
    const file = sentTree.get(name)
    if (file !== undefined) files.set(path, file)
  }
  const isWhole = request !== null && !request.partial
  // Both folders of a module give an asset the same URL, so the file in the other folder is removed.
  const moved = new Set(names.map((name) => pathOf(name, !hidden.has(name))).filter((path) => !paths.has(path)))
  const stays = (path: string): boolean => !isAsset(path) || (isWhole ? paths.has(path) : !moved.has(path))
  const tree = mergeFiles(new Map([...oldTree].filter(([path]) => stays(path))), files)
  return { tree, lacksAssets: false, isReportOnly }
}

async function sentAssets(sql: Sql, names: readonly string[]): Promise<Tree> {
  const rows = await sql<{ name: string; digest: string; size: string }[]>`
    select name, digest, size from ingot.sent_assets
    where name in (select jsonb_array_elements_text(${JSON.stringify(names)}::text::jsonb))`
  return new Map(rows.map(({ name, digest, size }) => [name, { digest, size: Number(size) }]))
}

/** Returns the assets that a dry run reports as changed. It sends no bytes, so assets of the same size count as unchanged. */
function reportedAssets(
  { names, sizes }: RequestOf<'assets'>,
  paths: ReadonlyMap<string, string>,
  oldTree: Tree,
): Tree {
  const sizeOf = new Map(names.map((name, index) => [name, sizes[index] ?? null]))
  const changed = new Map<string, TreeFile>()
  for (const [path, name] of paths) {
    const size = sizeOf.get(name) ?? null
    const known = oldTree.get(path)
    if (known === undefined || (size !== null && size !== known.size))
      changed.set(name, { digest: '', size: size ?? 0 })
  }
  return changed
}

/** Stores the files of an archive of assets until a manifest lists them. @throws DeployRefused */
export async function unpackAssets(sql: Sql, { key, archive }: RequestOf<'unpack'>, blobs: BlobFolder): Promise<void> {
  const sentTree = await unpack(await blobs.get(sql, archive), () => true, blobs)
  await blobs.keep(sql, [...sentTree.values()])
  const rows = [...sentTree].map(([name, { digest, size }]) => ({ name, digest, size }))
  await sql.begin(async (transaction) => {
    await transaction`
      insert into ingot.sent_assets (name, digest, size)
      select name, digest, size from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as sent(name text, digest text, size bigint)
      on conflict (name) do update set digest = excluded.digest, size = excluded.size, sent_at = now()`
    await transaction`delete from ingot.sent_files where key = ${key}`
  })
}

async function unpack(
  path: string,
  wanted: (name: string) => boolean,
  blobs: BlobFolder,
  listener: UnpackListener | null = null,
): Promise<Tree> {
  try {
    return await unpackArchive(path, wanted, blobs, listener)
  } catch (error) {
    if (error instanceof ArchiveFault) throw new DeployRefused(`The archive was refused: ${error.message}.`)
    throw error
  }
}

/**
 * Adds files to others.
 * @throws DeployRefused when a new path differs from another one only in case or Unicode normalization, or one of both is a folder of the other
 */
function mergeFiles(oldTree: Tree, sentTree: Tree): Tree {
  const files = new Map(oldTree)
  if ([...sentTree.keys()].every((path) => oldTree.has(path))) {
    for (const [path, file] of sentTree) files.set(path, file)
    return files
  }
  const folded = new Map([...oldTree.keys()].map((path) => [foldName(path), path]))
  for (const [path, file] of sentTree) {
    const other = folded.get(foldName(path))
    if (other !== undefined && other !== path)
      throw new DeployRefused(
        `'${path}' and the existing '${other}' differ only in upper and lower case, or in Unicode normalization: rename one.`,
      )
    files.set(path, file)
  }
  const file = [...files.keys()].flatMap(foldersOf).find((folder) => files.has(folder))
  if (file !== undefined) throw new DeployRefused(`'${file}' is a file, and also a folder with files: rename one.`)
  return files
}

/** Returns the folders around a file: `a/b` and `a` for `a/b/c`. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

/** Returns the changes of the files that the request is about. */
export function reportOf(oldTree: Tree, newTree: Tree, about: (path: string) => boolean): DeployReport {
  const report: Record<string, { upserted: string[]; deleted: string[]; skipped: string[] }> = {}
  for (const path of [...new Set([...oldTree.keys(), ...newTree.keys()])].toSorted()) {
    if (!about(path)) continue
    const kind = (report[kindOf(path)] ??= { upserted: [], deleted: [], skipped: [] })
    const now = newTree.get(path)
    if (now === undefined) kind.deleted.push(path)
    else (oldTree.get(path)?.digest === now.digest ? kind.skipped : kind.upserted).push(path)
  }
  return report
}
