/** `ingot deploy URL|ENV [DIR]`: sends a site to a server, and waits until it is served there. */
import { readCommandLine } from '../core/command-line.ts'
import type { Settings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'
import { createClient } from '../tools/remote/client.ts'
import { type DeployArguments, runDeploy } from '../tools/remote/deploy.ts'
import { createTerminalOutput } from '../tools/remote/output.ts'
import { findServer } from '../tools/remote/target.ts'

/**
 * Runs the command.
 * @param args the arguments after `deploy`
 * @returns the exit code: 1 when the deploy failed
 * @throws StartError
 */
export async function deployCommand(args: readonly string[], settings: Settings, version: string): Promise<number> {
  const line = readDeployLine(args, settings.links)
  const server = await findServer(line.server, { dir: line.dir, remote: settings.remote })
  return runDeploy(line, createClient(server, version), createTerminalOutput())
}

/**
 * Parses the arguments after `ingot deploy`.
 * @throws StartError
 */
function readDeployLine(args: readonly string[], links: readonly string[] = []): DeployArguments {
  const line = readCommandLine('ingot deploy', args, { switches: ['partial', 'dry-run', 'verbose'], values: [] })
  const [server = null, dir = '.', extraArgument] = line.words
  if (extraArgument !== undefined)
    throw new StartError(`\`ingot deploy\` takes only a server and a folder, not '${extraArgument}'.`)
  return { server, dir, links, partial: line.has('partial'), dryRun: line.has('dry-run'), verbose: line.has('verbose') }
}
