/** Downloads archives. */
import { FileRefused } from '../../../web/files/model.ts'
import { downloadFile } from '../../../web/files/download.ts'
import { TransferRefused, type TransferContext } from './parts.ts'

/** Maximum size of an archive in bytes. */
const MAX_ARCHIVE_BYTES = 2 * 1024 * 1024 * 1024
/** Milliseconds after which a download fails. */
const DOWNLOAD_TIMEOUT = 1_800_000

/**
 * Downloads an archive from a permitted address.
 * @param to path of the new file
 * @returns that path
 * @throws TransferRefused
 */
export async function downloadArchive(
  { reachable, settings: { originOverrides } }: TransferContext,
  address: string,
  to: string,
): Promise<string> {
  try {
    await downloadFile(address, { to, limit: MAX_ARCHIVE_BYTES, timeout: DOWNLOAD_TIMEOUT, reachable, originOverrides })
    return to
  } catch (error) {
    if (error instanceof FileRefused)
      throw new TransferRefused(`The archive could not be downloaded: its address ${error.message}.`)
    throw error
  }
}
