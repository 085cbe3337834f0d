/** What a release is made of: the build that a command is given, every file of it held against its digest. */
import { statSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { codeOf } from '../../core/error-code.ts'
import { fileDigest, filesIn, MANIFEST } from '../builds/place.ts'
import { archiveIn, unpackInto } from '../builds/unpack.ts'
import { StartError } from '../../core/start-error.ts'

/** A build that a command is given. */
export interface GivenBuild {
  readonly kind: 'archive' | 'folder'
  readonly path: string
}

/** @throws StartError when nothing is built there */
export function buildIn(given: string): GivenBuild {
  const path = resolve(given)
  const info = statSync(path, { throwIfNoEntry: false })
  if (info?.isFile() === true) return { kind: 'archive', path }
  for (const folder of [path, join(path, '.ingot')])
    if (statSync(join(folder, MANIFEST), { throwIfNoEntry: false })?.isFile() === true)
      return { kind: 'folder', path: folder }
  throw new StartError(
    `There is no build in '${given}': give an archive of \`ingot build --pack\`, a folder of \`ingot build --out\`, or a site that was built.`,
  )
}

/**
 * Writes the files of a build into an empty folder.
 * @returns the id of the release
 * @throws StartError, and what `unpackError` makes a sentence of
 */
export async function takeBuild({ kind, path }: GivenBuild, to: string): Promise<string> {
  if (kind === 'archive') await unpackInto(await archiveIn(path), to)
  else await copyBuild(path, to)
  return fileDigest(join(to, MANIFEST))
}

/** Copies what a manifest lists, and nothing else, and holds every file against its digest. */
async function copyBuild(from: string, to: string): Promise<void> {
  const files = await filesIn(from)
  if (files === null || Object.keys(files).length === 0)
    throw new StartError(`The manifest of the build in '${from}' lists no files: build the site again.`)
  for (const path of Object.keys(files)) {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await copyFile(join(from, path), join(to, path)).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
      throw new StartError(
        `The build in '${from}' has no file '${path}', which its manifest lists: build the site again.`,
      )
    })
  }
  await copyFile(join(from, MANIFEST), join(to, MANIFEST))
  const damage = await damageIn(to)
  if (damage !== null) throw new StartError(`The build in '${from}' cannot be kept, ${damage}: build the site again.`)
}

/** Why the build of a release cannot be trusted; null when every file has its digest. */
export async function damageOf(id: string, folder: string): Promise<string | null> {
  // A manifest that cannot be read has not the digest either.
  if ((await fileDigest(join(folder, MANIFEST)).catch(() => null)) !== id) return 'its manifest was changed'
  return damageIn(folder)
}

async function damageIn(folder: string): Promise<string | null> {
  const files = await filesIn(folder)
  if (files === null) return 'its manifest cannot be read'
  for (const [path, { digest }] of Object.entries(files)) {
    // The reason why it cannot be read matters little: it cannot be served.
    const is = await fileDigest(join(folder, path)).catch(() => null)
    if (is === null) return `'${path}' is missing`
    if (is !== digest) return `'${path}' was changed`
  }
  return null
}
