/** Records deliveries and failures in `ingot.notifications`, without secret headers, and with long texts truncated. */
import type { Sql } from 'postgres'
import type { Logger } from '../../core/contracts/log.ts'
import type { SentLog } from './model.ts'

/** Longest text, and longest record, in characters. */
const MAX_TEXT = 100_000
const MAX_RECORD = 400_000

const SECRET = /^(?:authorization|proxy-authorization|cookie|set-cookie|(?:x-)?api-?key|x-auth-token)$/i

export function createSentLog(sql: Sql, logger: Logger): SentLog {
  return {
    async find(deliveryId) {
      const [row] = await sql<{ options: Record<string, unknown> }[]>`
        select options from ingot.notifications where once = ${deliveryId} and error is null`
      return row === undefined ? null : { options: row.options }
    },
    async note({ channel, name, content, options, error, deliveryId }) {
      try {
        await sql`
          insert into ingot.notifications (channel, name, content, options, error, once)
          values (${channel}, ${name}, ${storable(content)}::text::jsonb, ${storable(options)}::text::jsonb,
            ${error === null ? null : bounded(error)}, ${deliveryId})
          on conflict (once) do update set
            content = excluded.content, options = excluded.options, error = excluded.error, updated_at = now()`
      } catch (failure) {
        logger.error({ channel, name, err: failure }, 'a sending could not be noted')
      }
    },
  }
}

/** JSON of limited length that the database accepts. */
function storable(value: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(value, replaced)
  return text.length <= MAX_RECORD ? text : JSON.stringify({ truncated: true, start: bounded(text.slice(0, MAX_TEXT)) })
}

function replaced(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  return SECRET.test(key) ? '[hidden]' : bounded(value)
}

/** Removes what PostgreSQL cannot store, and truncates. */
function bounded(text: string): string {
  const plain = text.replaceAll('\0', '').toWellFormed()
  return plain.length <= MAX_TEXT ? plain : `${plain.slice(0, MAX_TEXT).toWellFormed()}…`
}
