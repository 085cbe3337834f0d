/** The files of the served site, from the deploy that created its release. */
import type { ISql } from 'postgres'
import * as z from 'zod'
import { editedFiles } from '../../../operate/releases/edits.ts'
import type { BuildEdits } from '../../../web/site/load.ts'
import type { TreeFile } from './archive.ts'

/** Files by path. */
export type Tree = ReadonlyMap<string, TreeFile>

const stored = z.record(z.string(), z.object({ digest: z.string(), size: z.number() }))

/** Returns the files of a release with its edits; none when it was not created by a deploy. */
export async function treeOf(sql: ISql, edits: BuildEdits): Promise<Tree> {
  const [row] = await sql<{ files: unknown }[]>`
    select files from ingot.deploys where release = ${edits.release} and files is not null order by id desc limit 1`
  const files = new Map(Object.entries(row === undefined ? {} : stored.parse(row.files)))
  if (edits.revision === 0) return files
  for (const { path, digest, size } of await editedFiles(sql, edits))
    if (digest === null) files.delete(path)
    else files.set(path, { digest, size: size ?? 0 })
  return files
}

/** Records the files of a release, before it is served, so that the files of a served site are always known. */
export async function recordTree(sql: ISql, id: string, release: string, files: Tree): Promise<void> {
  await sql`
    update ingot.deploys set release = ${release}, files = ${JSON.stringify(Object.fromEntries(files))}::text::jsonb
    where id = ${id}`
}

/** Returns the name of the application's folder. */
export function appFolder(files: Tree): 'app' | 'marketplace_builder' {
  let old = false
  for (const path of files.keys()) {
    if (path.startsWith('app/')) return 'app'
    old ||= path.startsWith('marketplace_builder/')
  }
  return old ? 'marketplace_builder' : 'app'
}
