/**
 * Records deliveries and failures in `ingot.notifications`. Secret headers are hidden, and long texts are truncated.
 */
import type { Sql } from 'postgres'
import type { Logger } from '../../core/contracts/log.ts'
import type { DeliveryRecords } from './model.ts'

/** Maximum length of a text, and of a record, in characters. */
const MAX_TEXT = 100_000
const MAX_RECORD = 400_000

const SECRET_HEADER = /^(?:authorization|proxy-authorization|cookie|set-cookie|(?:x-)?api-?key|x-auth-token)$/i

/** Creates the access to delivery records. */
export function createDeliveryRecords(sql: Sql, logger: Logger): DeliveryRecords {
  return {
    skip: () => undefined,
    async find(deliveryId) {
      const [row] = await sql<{ options: Record<string, unknown> }[]>`
        select options from ingot.notifications where once = ${deliveryId} and error is null`
      return row === undefined ? null : { options: row.options }
    },
    async record({ channel, name, content, options, error, deliveryId }) {
      try {
        await sql`
          insert into ingot.notifications (channel, name, content, options, error, once)
          values (${channel}, ${name}, ${toStorableJson(content)}::text::jsonb, ${toStorableJson(options)}::text::jsonb,
            ${error === null ? null : truncate(error)}, ${deliveryId})
          on conflict (once) do update set
            content = excluded.content, options = excluded.options, error = excluded.error, updated_at = now()`
      } catch (failure) {
        logger.error({ channel, name, err: failure }, 'a delivery could not be recorded')
      }
    },
  }
}

/** Returns JSON of limited length that the database accepts. */
function toStorableJson(value: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(value, replaceValue)
  return text.length <= MAX_RECORD
    ? text
    : JSON.stringify({ truncated: true, start: truncate(text.slice(0, MAX_TEXT)) })
}

function replaceValue(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  return SECRET_HEADER.test(key) ? '[hidden]' : truncate(value)
}

/** Truncates a text and removes characters that PostgreSQL cannot store. */
function truncate(text: string): string {
  const clean = text.replaceAll('\0', '').toWellFormed()
  return clean.length <= MAX_TEXT ? clean : `${clean.slice(0, MAX_TEXT).toWellFormed()}…`
}
