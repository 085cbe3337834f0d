/** Edits of a release, in the database: what they have made of its files and its modules. */
import type { ISql } from 'postgres'
import type { ReplacedModule } from '../../web/site/builds.ts'
import type { BuildEdits } from '../../web/site/load.ts'

/** What a file has become. */
export interface EditedFile {
  readonly path: string
  /** Null for a file that is gone. */
  readonly digest: string | null
  readonly size: number | null
}

/** The modules as they are with all edits up to the last one; of those behind an earlier one. */
export async function editedModules(
  sql: ISql,
  { release, revision }: BuildEdits,
  after: number,
): Promise<readonly ReplacedModule[]> {
  return sql<ReplacedModule[]>`
    select distinct on (path) path, digest, script, file, source from ingot.edited_modules
    where release = ${release} and revision > ${after} and revision <= ${revision} order by path, revision desc`
}

/** The files that edits have made others. */
export async function editedFiles(sql: ISql, { release, revision }: BuildEdits): Promise<readonly EditedFile[]> {
  const rows = await sql<{ path: string; digest: string | null; size: string | null }[]>`
    select distinct on (path) path, digest, size from ingot.edited_files
    where release = ${release} and revision <= ${revision} order by path, revision desc`
  return rows.map(({ path, digest, size }) => ({ path, digest, size: size === null ? null : Number(size) }))
}

export interface Edit {
  readonly release: string
  /** The number that the pointer has which is to name it. */
  readonly revision: number
  readonly files: readonly EditedFile[]
  readonly modules: readonly ReplacedModule[]
}

/** Keeps an edit, whole or not at all; the pointer is then to name it. Called by one process at a time. */
export async function keepEdit(sql: ISql, { release, revision, files, modules }: Edit): Promise<void> {
  await sql`
    with files as (
      insert into ingot.edited_files (release, path, revision, digest, size)
      select ${release}, path, ${revision}, digest, size
      from jsonb_to_recordset(${JSON.stringify(files)}::text::jsonb) as file(path text, digest text, size bigint)
    )
    insert into ingot.edited_modules (release, path, revision, digest, script, file, source)
    select ${release}, path, ${revision}, digest, script, file, source
    from jsonb_to_recordset(${JSON.stringify(modules)}::text::jsonb)
      as module(path text, digest text, script text, file text, source text)`
}

/** Removes later edits than the pointer names: their maker was ended before it did, or the release was made anew. Called by one process at a time. */
export async function dropUnnamedEdits(sql: ISql, { release, revision }: BuildEdits): Promise<void> {
  await sql`delete from ingot.edited_files where release = ${release} and revision > ${revision}`
  await sql`delete from ingot.edited_modules where release = ${release} and revision > ${revision}`
}
