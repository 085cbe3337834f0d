/** `ingot logs URL|ENV`: reads and follows the log of a site on another server. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import type { StoredEntry } from '../../web/logs/model.ts'
import { type LogsArguments, matchesFilter } from '../../web/logs/read-entries.ts'
import { formatJson, formatEntry } from '../../web/logs/format-entry.ts'
import { API, type RemoteClient, RemoteFailure } from './client.ts'
import type { RemoteOutput } from './output.ts'

const answer = z.object({
  logs: z.array(
    z.object({
      id: z.union([z.number(), z.string()]).transform(String),
      created_at: z.string().transform((text, context) => {
        const at = new Date(text)
        if (!Number.isNaN(at.getTime())) return at
        context.addIssue({ code: 'custom', message: 'no time' })
        return z.NEVER
      }),
      error_type: z.string().nullish(),
      message: z.unknown(),
      data: z.record(z.string(), z.unknown()).nullish().catch(null),
    }),
  ),
})

/** Milliseconds between two requests. */
const CHECK_INTERVAL = 1_000
/** Milliseconds between two attempts to reach an unreachable server. */
const RETRY_DELAY = { first: 500, last: 10_000 } as const

/**
 * Prints the log of a server.
 * @returns the exit code: 1 when the server is unreachable or refuses
 */
export async function runRemoteLogs(line: LogsArguments, client: RemoteClient, output: RemoteOutput): Promise<number> {
  try {
    const entries = await entriesAfter(client, '0', output.signal)
    const wanted = entries.filter((entry) => matchesFilter(entry, line.filter))
    print(line, wanted.slice(Math.max(0, wanted.length - line.limit)), output)
    if (!line.follow) {
      if (wanted.length === 0) output.print('There are no matching entries.\n')
      return 0
    }
    return await follow(line, client, entries.at(-1)?.id ?? '0', output)
  } catch (error) {
    if (output.signal.aborted) return 0
    if (!(error instanceof RemoteFailure)) throw error
    output.print(`${error.message}\n`)
    return 1
  }
}

async function follow(line: LogsArguments, client: RemoteClient, last: string, output: RemoteOutput): Promise<number> {
  const { signal } = output
  let wait: number = RETRY_DELAY.first
  let isLost = false
  for (let textAfter = last; !signal.aborted; ) {
    try {
      const entries = await entriesAfter(client, textAfter, signal)
      if (isLost) output.print(`${client.server.url} can be reached again.\n`)
      isLost = false
      wait = RETRY_DELAY.first
      print(
        line,
        entries.filter((entry) => matchesFilter(entry, line.filter)),
        output,
      )
      textAfter = entries.at(-1)?.id ?? textAfter
      if (entries.length === 0) await sleep(CHECK_INTERVAL, undefined, { signal })
    } catch (error) {
      if (signal.aborted) break
      if (!(error instanceof RemoteFailure) || !error.isTemporary) throw error
      if (!isLost) output.print(`${error.message} New entries are shown when it can be reached again.\n`)
      isLost = true
      await sleep(wait, undefined, { signal })
      wait = Math.min(wait * 2, RETRY_DELAY.last)
    }
  }
  return 0
}

async function entriesAfter(client: RemoteClient, id: string, signal: AbortSignal): Promise<readonly StoredEntry[]> {
  const path = `${API}/logs?last_id=${encodeURIComponent(id)}`
  const { logs } = await client.call({ method: 'GET', path, answer, signal })
  return logs.map(({ id: own, created_at: createdAt, error_type: type, message, data }) => ({
    id: own,
    createdAt,
    type: type ?? 'info',
    message: typeof message === 'string' ? message : JSON.stringify(message ?? null),
    data: data ?? {},
  }))
}

function print(line: LogsArguments, entries: readonly StoredEntry[], { out }: RemoteOutput): void {
  for (const entry of entries) out(line.json ? formatJson(entry) : formatEntry(entry))
}
