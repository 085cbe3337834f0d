/**
 * `ingot agent DIR`: answers requests of `ingot mcp`. Reads requests from standard input and writes responses to standard output,
 * one line of JSON each. All changes are rolled back, and a production database is refused.
 */
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { StartError } from '../core/start-error.ts'
import type { SiteTests } from '../tools/testing/site-tests.ts'
import { explainQuery, explainSchema } from '../tools/agent/explain.ts'
import { readLogs, logsSchema } from '../tools/agent/logs.ts'
import { renderForAgent, renderSchema } from '../tools/agent/render.ts'
import { readRequests, requestsSchema } from '../tools/agent/requests.ts'
import { runTestsForAgent, testsSchema } from '../tools/agent/tests.ts'

const requestSchema = z.object({ id: z.number(), do: z.string() })

/** The handlers of the requests, by the request's `do`. */
const HANDLERS: Readonly<Record<string, (site: SiteTests, request: unknown) => Promise<unknown>>> = {
  render: (site, request) => renderForAgent(site, renderSchema.parse(request)),
  tests: (site, request) => runTestsForAgent(site, testsSchema.parse(request)),
  logs: (site, request) => readLogs(site.sql, logsSchema.parse(request), new Date()),
  requests: (site, request) => readRequests(site.dataFolder, requestsSchema.parse(request)),
  explain: (site, request) => explainQuery(site, explainSchema.parse(request)),
}

/**
 * Answers requests until standard input ends.
 * @param open opens the site; called for the first request, and again after it has failed
 * @returns the exit code
 */
export async function agentCommand(
  open: () => Promise<SiteTests>,
  input: NodeJS.ReadableStream,
  write: (line: string) => void,
): Promise<number> {
  let opened: Promise<SiteTests> | null = null
  for await (const line of createInterface({ input })) {
    const request: unknown = JSON.parse(line)
    const { id, do: what } = requestSchema.parse(request)
    opened ??= open()
    try {
      const site = await opened.catch((error: unknown) => {
        opened = null
        throw error
      })
      const answer = await HANDLERS[what]?.(site, request)
      write(`${JSON.stringify({ id, answer: answer ?? null })}\n`)
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      write(`${JSON.stringify({ id, refused: error.message })}\n`)
    }
  }
  await opened?.then((site) => site.close())
  return 0
}
