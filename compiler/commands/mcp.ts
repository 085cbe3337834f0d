/** `ingot mcp [DIR]`: the MCP server for agents on standard input and output. */
import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { UsageError } from '../core/usage-error.ts'
import { HeapLimiter } from '../tools/service/heap-limiter.ts'
import { agentServer } from '../tools/service/mcp/server.ts'
import { AgentSite } from '../tools/service/mcp/agent-site.ts'

/**
 * Serves until the client disconnects.
 * @param bin path of the `ingot` command
 * @throws UsageError
 */
export async function mcp(args: readonly string[], bin: string): Promise<number> {
  const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true })
  const [dir = '.', extraArgument] = positionals
  if (extraArgument !== undefined) throw new UsageError(`\`ingot mcp\` takes one folder: leave out '${extraArgument}'.`)
  // Errors other than a missing folder are reported when the folder is read.
  const info = await stat(dir).catch(() => null)
  if (info?.isDirectory() !== true) throw new UsageError(`There is no folder '${dir}': give the folder of a site.`)
  const site = new AgentSite(dir, [process.execPath, bin, 'agent', dir])
  site.begin()
  const heap = new HeapLimiter(20)
  // Standard output is reserved for the protocol.
  console.log = (...words) => console.error(...words)
  const gone = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve))
  const served = serveStdio(() => agentServer(site))
  process.stdin.on('data', () => heap.noteRequest())
  await gone
  await served.close()
  await site.close()
  return 0
}
