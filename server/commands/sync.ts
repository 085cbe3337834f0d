/** `ingot sync URL|ENV`: sends single files of a site to a server: the named files once, or every file when it is saved. */
import { readCommandLine } from '../core/command-line.ts'
import type { Settings } from '../core/settings.ts'
import { createClient } from '../tools/remote/client.ts'
import { createTerminalOutput } from '../tools/remote/output.ts'
import { runSync, type SyncArguments } from '../tools/remote/sync.ts'
import { findServer } from '../tools/remote/target.ts'

/**
 * Runs the command.
 * @param args the arguments after `sync`
 * @returns the exit code: 1 when the server refused a file, or could not be reached
 * @throws StartError
 */
export async function syncCommand(args: readonly string[], settings: Settings, version: string): Promise<number> {
  const line = readSyncLine(args, settings.links)
  const server = await findServer(line.server, { dir: line.dir, remote: settings.remote })
  return runSync(line, createClient(server, version), createTerminalOutput())
}

/**
 * Parses the arguments after `ingot sync`.
 * @throws StartError
 */
function readSyncLine(args: readonly string[], links: readonly string[] = []): SyncArguments {
  const line = readCommandLine('ingot sync', args, { switches: [], values: ['dir'] })
  const [server = null, ...files] = line.words
  return { server, dir: line.value('dir') ?? '.', links, files }
}
