/** Stores files in a local folder. */
import { open as openFile, copyFile, mkdir, realpath, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { errorCodeOf } from '../../core/error-code.ts'
import { ownMark, removeLeftovers } from '../../core/leftovers.ts'
import type { FileStore } from './model.ts'
import { fileExtension, newKey } from './names.ts'
import { readUploadPath } from '../../../runtime/data/values/upload-path.ts'
import { HEAD, detectType } from './detect-type.ts'

/**
 * Creates the store.
 * @param folder created with the first file
 */
export function createLocalStore(folder: string): FileStore {
  const absolutePath = (path: string): string => {
    if (readUploadPath(path) === null) throw new Error(`not a path of a file: ${JSON.stringify(path.slice(0, 200))}`)
    return join(folder, path)
  }
  return {
    async put(path, file) {
      const target = absolutePath(path)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      // The file is written as a draft and then renamed, so that readers never see a partial file.
      const draft = join(dirname(target), `.${ownMark()}-${newKey()}`)
      try {
        await copyFile(file, draft)
        const handle = await openFile(draft, 'r+')
        await handle.sync().finally(() => handle.close())
        await rename(draft, target)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    async remove(path) {
      const target = absolutePath(path)
      await rm(target, { force: true })
      // Removes drafts of processes that were killed.
      await removeLeftovers(dirname(target), '.')
      // Empty folders are removed with their last file, because only the store uses them.
      for (let above = dirname(target); relative(folder, above).split(sep).length > 1; above = dirname(above)) {
        if (
          !(await rmdir(above).then(
            () => true,
            () => false,
          ))
        )
          break
      }
    },
    async find(path) {
      const uploadPath = readUploadPath(path)
      if (uploadPath === null) return null
      try {
        const root = await realpath(folder)
        const target = await realpath(join(folder, path))
        if (relative(root, target) !== path.split('/').join(sep)) return null
        return { kind: 'disk', root, path, contentType: await detectFileType(target, uploadPath.name) }
      } catch (error) {
        // Other errors, such as too many open files, do not mean that the file is missing.
        if (isMissing(error)) return null
        throw error
      }
    },
    direct: () => null,
  }
}

class NotAFile extends Error {}

function isMissing(error: unknown): boolean {
  if (error instanceof NotAFile) return true
  const code = errorCodeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENAMETOOLONG' || code === 'EISDIR'
}

async function detectFileType(target: string, name: string): Promise<string> {
  const handle = await openFile(target, 'r')
  try {
    if (!(await handle.stat()).isFile()) throw new NotAFile()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0)
    return detectType(buffer.subarray(0, bytesRead), fileExtension(name)).type
  } finally {
    await handle.close()
  }
}
