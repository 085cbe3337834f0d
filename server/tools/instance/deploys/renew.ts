/** What a server serves after it was upgraded: the files that were deployed, compiled anew where it reads other builds than were made of them. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { nextPointer, type Pointer, type Releases } from '../../../operate/releases/model.ts'
import { StartError } from '../../../core/start-error.ts'
import { BlobFolder } from './blobs.ts'
import { SiteCompiler } from './compiler.ts'
import { addDeploy, endDeploy } from './rows.ts'
import { nameTree, treeOf } from './site.ts'

export interface RenewParts {
  readonly sql: Sql
  readonly releases: Releases
  /** Path of the `ingot` command. */
  readonly bin: string
  /** `Settings.takesErrors` */
  readonly takesErrors: boolean
}

/**
 * Keeps a release of the same files as one that this server cannot read, and names it as the current one.
 * @returns the pointer; null where nobody knows the files
 * @throws StartError where this version finds errors in them
 */
export async function renewRelease(
  { sql, releases, bin, takesErrors }: RenewParts,
  before: Pointer,
): Promise<Pointer | null> {
  const files = await treeOf(sql, before)
  // The site that a server begins with has none, and no other one either.
  if (files.size === 0 && before.generation > 1) return null
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
        `This version of Ingot cannot compile the site that was deployed: ${failure ?? 'it has errors.'}${list.join('')}\nStart the version before, and deploy the site without them.`,
      )
    }
    const { id } = await releases.push(out)
    // A row that is done when it is there: nobody is to make it.
    await sql.begin(async (transaction) => {
      const row = await addDeploy(transaction, { kind: 'clear' })
      await nameTree(transaction, row, id, files)
      await endDeploy(transaction, row, 'success', { notes: ['compiled anew after an upgrade'] })
    })
    // Another server may have been first.
    return (await releases.replace(before, nextPointer(before, { release: id }))) ?? releases.current()
  } finally {
    compiler.close()
    await rm(folder, { recursive: true, force: true })
  }
}
