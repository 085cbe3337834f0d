/** Reads the build that becomes a release, and checks the digest of every file. */
import { statSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { errorCodeOf } from '../../core/error-code.ts'
import { fileDigest, readManifest, MANIFEST } from '../builds/build-folder.ts'
import { openArchive, unpackInto } from '../builds/unpack.ts'
import { StartError } from '../../core/start-error.ts'

/** A build that was given to a command. */
export interface BuildSource {
  readonly kind: 'archive' | 'folder'
  readonly path: string
}

/** Finds the build at a path. @throws StartError when there is none */
export function findBuild(location: string): BuildSource {
  const path = resolve(location)
  const info = statSync(path, { throwIfNoEntry: false })
  if (info?.isFile() === true) return { kind: 'archive', path }
  for (const folder of [path, join(path, '.ingot')])
    if (statSync(join(folder, MANIFEST), { throwIfNoEntry: false })?.isFile() === true)
      return { kind: 'folder', path: folder }
  throw new StartError(
    `There is no build in '${location}': give an archive of \`ingot build --pack\`, a folder of \`ingot build --out\`, or a built site.`,
  )
}

/**
 * Writes the files of a build into an empty folder.
 * @returns the id of the release
 * @throws StartError, and errors that `unpackError` converts
 */
export async function writeBuild({ kind, path }: BuildSource, to: string): Promise<string> {
  if (kind === 'archive') await unpackInto(await openArchive(path), to)
  else await copyBuild(path, to)
  return fileDigest(join(to, MANIFEST))
}

/** Copies the files that the manifest lists, and checks their digests. */
async function copyBuild(from: string, to: string): Promise<void> {
  const files = await readManifest(from)
  if (files === null || Object.keys(files).length === 0)
    throw new StartError(`The manifest of the build in '${from}' lists no files: build the site again.`)
  for (const path of Object.keys(files)) {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await copyFile(join(from, path), join(to, path)).catch((error: unknown) => {
      if (errorCodeOf(error) !== 'ENOENT') throw error
      throw new StartError(
        `The build in '${from}' has no file '${path}', which its manifest lists: build the site again.`,
      )
    })
  }
  await copyFile(join(from, MANIFEST), join(to, MANIFEST))
  const damage = await findDamage(to)
  if (damage !== null)
    throw new StartError(`The build in '${from}' cannot be stored, because ${damage}: build the site again.`)
}

/** Returns why the build of a release cannot be trusted; null when every file has its digest. */
export async function releaseDamage(id: string, folder: string): Promise<string | null> {
  // An unreadable manifest counts as changed.
  if ((await fileDigest(join(folder, MANIFEST)).catch(() => null)) !== id) return 'its manifest was changed'
  return findDamage(folder)
}

async function findDamage(folder: string): Promise<string | null> {
  const files = await readManifest(folder)
  if (files === null) return 'its manifest cannot be read'
  for (const [path, { digest }] of Object.entries(files)) {
    // An unreadable file counts as missing, because it cannot be served.
    const actual = await fileDigest(join(folder, path)).catch(() => null)
    if (actual === null) return `'${path}' is missing`
    if (actual !== digest) return `'${path}' was changed`
  }
  return null
}
