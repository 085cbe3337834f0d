/** Makes the names in a folder durable: a rename survives a power failure only after its folder is synced. */
import { open } from 'node:fs/promises'

export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  // Some file systems do not support this, and do not need it.
  await handle.sync().catch(() => undefined)
  await handle.close()
}
