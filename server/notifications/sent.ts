/** What was sent, or failed and why: rows of `ingot.notifications`. Secrets of headers and what is too long are left out. */
import type { Sql } from 'postgres'
import type { Logger } from '../contracts/log.ts'
import type { SentLog } from './model.ts'

/** Characters of one text, and of all that is noted of a sending. */
const LONGEST_TEXT = 100_000
const LONGEST = 400_000

const SECRET = /^(?:authorization|proxy-authorization|cookie|set-cookie|(?:x-)?api-?key|x-auth-token)$/i

export function createSentLog(sql: Sql, logger: Logger): SentLog {
  return {
    async find(once) {
      const [row] = await sql<{ options: Record<string, unknown> }[]>`
        select options from ingot.notifications where once = ${once} and error is null`
      return row === undefined ? null : { options: row.options }
    },
    async note({ channel, name, content, options, error, once }) {
      try {
        await sql`
          insert into ingot.notifications (channel, name, content, options, error, once)
          values (${channel}, ${name}, ${storable(content)}::text::jsonb, ${storable(options)}::text::jsonb,
            ${error === null ? null : bounded(error)}, ${once})
          on conflict (once) do update set
            content = excluded.content, options = excluded.options, error = excluded.error, updated_at = now()`
      } catch (failure) {
        logger.error({ channel, name, err: failure }, 'a sending could not be noted')
      }
    },
  }
}

/** JSON that the database takes, of a bounded length. */
function storable(value: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(value, replaced)
  return text.length <= LONGEST
    ? text
    : JSON.stringify({ truncated: true, start: bounded(text.slice(0, LONGEST_TEXT)) })
}

function replaced(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  return SECRET.test(key) ? '[hidden]' : bounded(value)
}

/** Without what PostgreSQL cannot store, cut where it is too long. */
function bounded(text: string): string {
  const plain = text.replaceAll('\0', '').toWellFormed()
  return plain.length <= LONGEST_TEXT ? plain : `${plain.slice(0, LONGEST_TEXT).toWellFormed()}…`
}
