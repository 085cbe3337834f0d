/** Reads the last entries of the site's log. */
import { RE2JS } from 're2js'
import type { Sql } from 'postgres'
import * as z from 'zod'
import { lastEntries } from '../../web/logs/read-entries.ts'
import { StartError } from '../../core/start-error.ts'

export const logsSchema = z.object({
  limit: z.int(),
  type: z.string().optional(),
  grep: z.string().optional(),
  minutes: z.number().optional(),
})

/** Maximum length of a message in characters. */
const MAX_MESSAGE = 4_000

export async function readLogs(
  sql: Sql,
  { limit, type, grep, minutes }: z.infer<typeof logsSchema>,
  now: Date,
): Promise<readonly object[]> {
  const since = minutes === undefined ? null : new Date(now.getTime() - minutes * 60_000)
  const entries = await lastEntries(sql, { type: type ?? null, grep: compilePattern(grep), since }, limit)
  return entries.map(({ createdAt, type: entryType, message, data }) => ({
    at: createdAt.toISOString(),
    ...{ type: entryType, message: message.slice(0, MAX_MESSAGE), data },
  }))
}

function compilePattern(text: string | undefined): RE2JS | null {
  try {
    return text === undefined ? null : RE2JS.compile(text)
  } catch (error) {
    throw new StartError(
      `The pattern is not a valid regular expression (${error instanceof Error ? error.message : String(error)}).`,
    )
  }
}
