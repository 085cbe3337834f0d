/** Archives that are fetched from where an address says. */
import { FileRefused } from '../../../web/files/model.ts'
import { downloadFile } from '../../../web/files/download.ts'
import { TransferRefused, type TransferParts } from './parts.ts'

/** Bytes of the largest archive, and milliseconds for it. */
const LARGEST = 2 * 1024 * 1024 * 1024
const PATIENCE = 1_800_000

/**
 * Fetches an archive, where its address may be asked.
 * @param to the path that it is written to
 * @returns that path
 * @throws TransferRefused
 */
export async function fetched(
  { reachable, settings: { standIns } }: TransferParts,
  address: string,
  to: string,
): Promise<string> {
  try {
    await downloadFile(address, { to, limit: LARGEST, timeout: PATIENCE, reachable, standIns })
    return to
  } catch (error) {
    if (error instanceof FileRefused)
      throw new TransferRefused(`The archive was not taken: its address ${error.message}.`)
    throw error
  }
}
