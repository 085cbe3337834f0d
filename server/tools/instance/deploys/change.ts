/** What the files of a site become by what was asked. */
import type { Sql } from 'postgres'
import { ArchiveFault, foldedName, type TreeFile, unpackArchive, type UnpackListener } from './archive.ts'
import type { BlobFolder } from './blobs.ts'
import { assetPath, isAsset, isOfSite, kindOf, pathProblem } from './paths.ts'
import { type DeployReport, type DeployRequest, findDeploy } from './rows.ts'
import { appFolder, type Tree } from './site.ts'

/** Why a request is refused: the site stays as it is. */
export class DeployRefused extends Error {
  override readonly name = 'DeployRefused'
}

type Asked<K extends DeployRequest['kind']> = Extract<DeployRequest, { kind: K }>

/** What a deploy makes of the files of the site. */
export interface DeployedTree {
  readonly tree: Tree
  /** Whether the archive has brought no assets: they may be sent after it. */
  readonly lacksAssets: boolean
  /** Whether it was only told which files there would be. */
  readonly isTold?: boolean
}

/** @throws DeployRefused */
export async function deployedTree(
  sql: Sql,
  { archive, partial }: Asked<'deploy'>,
  before: Tree,
  blobs: BlobFolder,
  listener: UnpackListener,
): Promise<DeployedTree> {
  const sent = await unpack(await blobs.get(sql, archive), isOfSite, blobs, listener)
  const paths = [...sent.keys()]
  if (paths.length === 0)
    throw new DeployRefused('The archive holds no site: its files stand in `app` or in `modules`.')
  const old = paths.some((path) => path.startsWith('marketplace_builder/'))
  if (old && paths.some((path) => path.startsWith('app/')))
    throw new DeployRefused('The archive has both `app` and `marketplace_builder`: a site is in one of them.')
  // Assets are sent apart, after the site, unless the archive brings them.
  const lacksAssets = !paths.some(isAsset)
  if (partial) return { tree: merged(before, sent), lacksAssets }
  const kept = lacksAssets ? [...before].filter(([path]) => isAsset(path)) : []
  return { tree: new Map([...kept, ...sent]), lacksAssets }
}

/** The files of the site with one that was changed. @throws DeployRefused */
export function syncedTree({ path: sent, file }: Asked<'sync'>, before: Tree): Tree {
  const path = isOfSite(sent) ? sent : `${appFolder(before)}/${sent}`
  const problem = pathProblem(path)
  if (problem !== null || !isOfSite(path))
    throw new DeployRefused(`'${sent}' is not the path of a file of a site${problem === null ? '' : `: ${problem}`}`)
  if (file !== null) return merged(before, new Map([[path, file]]))
  const files = new Map(before)
  files.delete(path)
  return files
}

/** The files of the site without those of a module. What the application overrides of it stays. @throws DeployRefused where it has none */
export function treeWithout({ module }: Asked<'removal'>, before: Tree): Tree {
  const files = new Map([...before].filter(([path]) => !path.startsWith(`modules/${module}/`)))
  if (files.size === before.size) throw new DeployRefused(`The site has no module '${module}'.`)
  return files
}

/**
 * The files of the site with the assets that a manifest names. Those that it does not name go only where it belongs to a full deploy.
 * @throws DeployRefused
 */
export async function assetTree(sql: Sql, asked: Asked<'assets'>, before: Tree): Promise<DeployedTree> {
  const { names, release } = asked
  const of = release === null ? null : await findDeploy(sql, release)
  const request = of?.request.kind === 'deploy' ? of.request : null
  const isTold = request?.dryRun === true
  const folder = appFolder(before)
  const hidden = new Set(asked.private)
  const pathOf = (name: string, isHidden: boolean) => assetPath(name, folder, isHidden ? 'private' : 'public')
  const paths = new Map(names.map((name) => [pathOf(name, hidden.has(name)), name]))
  const sent = isTold ? toldAssets(asked, paths, before) : await sentAssets(sql, names)
  const missing = [...paths].filter(([path, name]) => !sent.has(name) && !before.has(path))
  if (missing.length > 0) {
    const shown = missing.slice(0, 20).map(([, name]) => `\n  - ${name}`)
    throw new DeployRefused(`${missing.length} assets of the manifest were not sent:${shown.join('')}`)
  }
  const files = new Map<string, TreeFile>()
  for (const [path, name] of paths) {
    const problem = pathProblem(path)
    if (problem !== null) throw new DeployRefused(problem)
    const file = sent.get(name)
    if (file !== undefined) files.set(path, file)
  }
  const isWhole = request !== null && !request.partial
  // Both folders of a module give an asset the same URL: where it stood before, it stands no more.
  const moved = new Set(names.map((name) => pathOf(name, !hidden.has(name))).filter((path) => !paths.has(path)))
  const stays = (path: string): boolean => !isAsset(path) || (isWhole ? paths.has(path) : !moved.has(path))
  const tree = merged(new Map([...before].filter(([path]) => stays(path))), files)
  return { tree, lacksAssets: false, isTold }
}

async function sentAssets(sql: Sql, names: readonly string[]): Promise<Tree> {
  const rows = await sql<{ name: string; digest: string; size: string }[]>`
    select name, digest, size from ingot.sent_assets
    where name in (select jsonb_array_elements_text(${JSON.stringify(names)}::text::jsonb))`
  return new Map(rows.map(({ name, digest, size }) => [name, { digest, size: Number(size) }]))
}

/** Assets that would be others: of a dry run no bytes are sent, so one of the same size counts as the same. */
function toldAssets({ names, sizes }: Asked<'assets'>, paths: ReadonlyMap<string, string>, before: Tree): Tree {
  const sizeOf = new Map(names.map((name, index) => [name, sizes[index] ?? null]))
  const told = new Map<string, TreeFile>()
  for (const [path, name] of paths) {
    const size = sizeOf.get(name) ?? null
    const known = before.get(path)
    if (known === undefined || (size !== null && size !== known.size)) told.set(name, { digest: '', size: size ?? 0 })
  }
  return told
}

/** Keeps the files of an archive of assets until a manifest names them. @throws DeployRefused */
export async function unpackAssets(sql: Sql, { key, archive }: Asked<'unpack'>, blobs: BlobFolder): Promise<void> {
  const sent = await unpack(await blobs.get(sql, archive), () => true, blobs)
  await blobs.keep(sql, [...sent.values()])
  const rows = [...sent].map(([name, { digest, size }]) => ({ name, digest, size }))
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

/** @throws DeployRefused where a new path differs from one that is there in its case or its form alone */
function merged(before: Tree, sent: Tree): Tree {
  const files = new Map(before)
  if ([...sent.keys()].every((path) => before.has(path))) {
    for (const [path, file] of sent) files.set(path, file)
    return files
  }
  const folded = new Map([...before.keys()].map((path) => [foldedName(path), path]))
  for (const [path, file] of sent) {
    const other = folded.get(foldedName(path))
    if (other !== undefined && other !== path)
      throw new DeployRefused(
        `'${path}' and '${other}', which is there, differ only in the case or the Unicode form of letters.`,
      )
    files.set(path, file)
  }
  return files
}

/** What became of the files, those alone that the request was about. */
export function reportOf(before: Tree, after: Tree, about: (path: string) => boolean): DeployReport {
  const report: Record<string, { upserted: string[]; deleted: string[]; skipped: string[] }> = {}
  for (const path of [...new Set([...before.keys(), ...after.keys()])].toSorted()) {
    if (!about(path)) continue
    const kind = (report[kindOf(path)] ??= { upserted: [], deleted: [], skipped: [] })
    const now = after.get(path)
    if (now === undefined) kind.deleted.push(path)
    else (before.get(path)?.digest === now.digest ? kind.skipped : kind.upserted).push(path)
  }
  return report
}
