/** Access to a cluster on Windows: a port of 127.0.0.1, with a password against other users of the machine. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { freePort } from '../../../core/free-port.ts'

const accessSchema = z.object({ port: z.number(), password: z.string() })

export type WindowsAccess = z.infer<typeof accessSchema>

const FILE_NAME = 'ingot-door.json'

interface WrittenWindowsAccess extends WindowsAccess {
  readonly file: string
  /** Contains only the password, for `initdb`. */
  readonly passwordFile: string
}

/** Chooses a port and a password, and writes them to a folder. */
export async function writeWindowsAccess(folder: string): Promise<WrittenWindowsAccess> {
  const access = { port: await freePort(), password: randomBytes(24).toString('hex') }
  const file = join(folder, FILE_NAME)
  const passwordFile = join(folder, 'password')
  await writeFile(file, JSON.stringify(access), { mode: 0o600 })
  await writeFile(passwordFile, access.password, { mode: 0o600 })
  return { ...access, file, passwordFile }
}

/** Reads the port and password of a cluster. */
export function readWindowsAccess(folder: string): WindowsAccess {
  return accessSchema.parse(JSON.parse(readFileSync(join(folder, FILE_NAME), 'utf8')))
}

/** Server settings by name. */
export function windowsAccessSettings({ port }: WindowsAccess): Readonly<Record<string, string>> {
  return { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) }
}
