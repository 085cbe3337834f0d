/** The Model Context Protocol server for agents. */
import { McpServer } from '@modelcontextprotocol/server'
import { VERSION } from '../../../phases/emit/manifest.ts'
import type { AgentSite } from './agent-site.ts'
import { ToolError } from './tool-error.ts'
import { TOOLS } from './tools/index.ts'

const INSTRUCTIONS = `Tools for a site written in Liquid, which Ingot compiles and serves. The compiler knows every name, type and query.
Before you write files, \`validate_change\` reports what must be fixed; afterwards \`run_tests\` runs the tests. \`look_up\` is the reference of
the language, \`describe\` describes tables, partials and queries of this site, \`render\` returns the output. Everything that uses the
site's data runs in a transaction that is rolled back.`

/** Creates a server for one client. */
export function agentServer(site: AgentSite): McpServer {
  const server = new McpServer({ name: 'ingot', version: VERSION }, { instructions: INSTRUCTIONS })
  for (const { name, title, description, input, changes, run } of TOOLS) {
    const annotations = { title, readOnlyHint: !changes, destructiveHint: false, openWorldHint: false }
    server.registerTool(name, { title, description, inputSchema: input, annotations }, async (givenValues) => {
      try {
        return { content: [{ type: 'text', text: await site.runExclusive(() => run(site, givenValues)) }] }
      } catch (error) {
        if (!(error instanceof ToolError)) throw error
        return { content: [{ type: 'text', text: error.message }], isError: true }
      }
    })
  }
  return server
}
