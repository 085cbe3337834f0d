/** Unpacks untrusted archives of modules, with the same rules as for archives of sites. */
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ArchiveFault, unpackArchive } from '../instance/deploys/archive.ts'
import { StartError } from '../../core/start-error.ts'

/**
 * Unpacks an archive into a new folder, completely or not at all.
 * @param into path of the new folder
 * @param displayName name of the archive for messages
 * @throws StartError when the archive is refused
 */
export async function unpackModules(archive: string, into: string, displayName: string): Promise<void> {
  const incoming = `${into}.parts`
  await mkdir(incoming, { recursive: true })
  try {
    const place = (digest: string): Promise<string> => Promise.resolve(join(incoming, digest))
    const files = await unpackArchive(archive, () => true, { incoming, place })
    await mkdir(into, { recursive: true })
    for (const [name, { digest }] of files) {
      await mkdir(dirname(join(into, name)), { recursive: true })
      await copyFile(join(incoming, digest), join(into, name))
    }
  } catch (error) {
    await rm(into, { recursive: true, force: true })
    if (error instanceof ArchiveFault) throw new StartError(`The archive ${displayName} was refused: ${error.message}.`)
    throw error
  } finally {
    await rm(incoming, { recursive: true, force: true })
  }
}
