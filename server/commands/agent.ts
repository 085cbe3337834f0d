/**
 * `ingot agent DIR`, spoken between `ingot mcp` and this wing: reads questions from standard input and writes an answer to each to standard
 * output, a line of JSON both. Whatever it runs is undone, and the database of a production is left alone.
 */
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { StartError } from '../core/start-error.ts'
import type { SiteTests } from '../tools/testing/site-tests.ts'
import { explained, explainSchema } from '../tools/agent/explain.ts'
import { logsOf, logsSchema } from '../tools/agent/logs.ts'
import { rendered, renderSchema } from '../tools/agent/render.ts'
import { keptRequests, requestsSchema } from '../tools/agent/requests.ts'
import { tested, testsSchema } from '../tools/agent/tests.ts'

const numbered = z.object({ id: z.number(), do: z.string() })

/** What a question is answered with. */
const ANSWERS: Readonly<Record<string, (site: SiteTests, question: unknown) => Promise<unknown>>> = {
  render: (site, question) => rendered(site, renderSchema.parse(question)),
  tests: (site, question) => tested(site, testsSchema.parse(question)),
  logs: (site, question) => logsOf(site.sql, logsSchema.parse(question), new Date()),
  requests: (site, question) => keptRequests(site.dataFolder, requestsSchema.parse(question)),
  explain: (site, question) => explained(site, explainSchema.parse(question)),
}

/**
 * Answers until its standard input ends.
 * @param open opens the site; called for the first question, and again where it has failed
 * @returns the exit code
 */
export async function agentCommand(
  open: () => Promise<SiteTests>,
  input: NodeJS.ReadableStream,
  write: (line: string) => void,
): Promise<number> {
  let opened: Promise<SiteTests> | null = null
  for await (const line of createInterface({ input })) {
    const question: unknown = JSON.parse(line)
    const { id, do: what } = numbered.parse(question)
    opened ??= open()
    try {
      const site = await opened.catch((error: unknown) => {
        opened = null
        throw error
      })
      const answer = await ANSWERS[what]?.(site, question)
      write(`${JSON.stringify({ id, answer: answer ?? null })}\n`)
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      write(`${JSON.stringify({ id, refused: error.message })}\n`)
    }
  }
  await (opened as Promise<SiteTests> | null)?.then((site) => site.close())
  return 0
}
