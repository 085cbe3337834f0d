/** Compiles the deployed files again after an upgrade of the server, if it cannot read builds of the earlier version. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { nextPointer, type Pointer, type Releases } from '../../../operate/releases/model.ts'
import { StartError } from '../../../core/start-error.ts'
import { BlobFolder } from './blobs.ts'
import { SiteCompiler } from './compiler.ts'
import { addDeploy, endDeploy } from './rows.ts'
import { recordTree, treeOf } from './site.ts'

export interface RenewContext {
  readonly sql: Sql
  readonly releases: Releases
  /** Path of the `ingot` command. */
  readonly bin: string
  /** Whether to build a site despite its errors; see `Settings.takesErrors`. */
  readonly takesErrors: boolean
}

/**
 * Stores a new release of the files of a release that this server cannot read, and sets it as the current one.
 * @returns the pointer; null when the files are unknown
 * @throws StartError when this version finds errors in them
 */
export async function renewRelease(
  { sql, releases, bin, takesErrors }: RenewContext,
  previousPointer: Pointer,
): Promise<Pointer | null> {
  const files = await treeOf(sql, previousPointer)
  // Only the first site of a server has no files.
  if (files.size === 0 && previousPointer.generation > 1) return null
  const folder = await mkdtemp(join(tmpdir(), 'ingot-renewed-'))
  const compiler = new SiteCompiler(bin, takesErrors)
  try {
    const [source, out] = [join(folder, 'source'), join(folder, 'build')]
    await mkdir(join(source, 'app'), { recursive: true })
    const blobs = new BlobFolder(join(folder, 'files'))
    await blobs.open()
    await blobs.write(sql, files, source)
    const { built, errors, failure } = await compiler.build(source, out)
    if (!built) {
      const list = errors.map(({ file, line, message }) => `\n  ${file}:${line}: ${message}`)
      throw new StartError(
        `This version of Ingot cannot compile the deployed site: ${failure ?? 'it has errors.'}${list.join('')}\nStart the previous version, and deploy the site without these errors.`,
      )
    }
    const { id } = await releases.push(out)
    // The row is added as done, so that it is not executed.
    await sql.begin(async (transaction) => {
      const row = await addDeploy(transaction, { kind: 'clear' })
      await recordTree(transaction, row, id, files)
      await endDeploy(transaction, row, 'success', { notes: ['compiled again after an upgrade'] })
    })
    // Another server may have set a release meanwhile.
    return (
      (await releases.replace(previousPointer, nextPointer(previousPointer, { release: id }))) ?? releases.current()
    )
  } finally {
    compiler.close()
    await rm(folder, { recursive: true, force: true })
  }
}
