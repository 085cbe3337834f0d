/** Carries messages through the notifications of PostgreSQL. Large messages are rows of a table. */
import type { Sql } from 'postgres'
import { Turns } from '../../core/turns.ts'
import { fromText, type MessageBus, toText } from './bus.ts'

/** The PostgreSQL channel of messages. */
const NOTIFICATION = 'ingot_messages'
/** Maximum size of a notification in bytes. PostgreSQL allows 8,000 with the end of the text. */
const MAX_NOTIFICATION = 7_900

/** Creates the bus. */
export function databaseBus(sql: Sql): MessageBus {
  let listening: { unlisten(): Promise<void> } | null = null
  // Large messages are read one after another, so that messages keep their order.
  const turns = new Turns()

  async function read(text: string): Promise<string | null> {
    if (!text.startsWith('#')) return text
    const [row] = await sql<{ message: string }[]>`
      select message from ingot.channel_messages where id = ${text.slice(1)}::bigint`
    return row?.message ?? null
  }

  return {
    async publish(message) {
      const text = toText(message)
      if (Buffer.byteLength(text) <= MAX_NOTIFICATION) {
        await sql`select pg_notify(${NOTIFICATION}, ${text})`
        return
      }
      // Every process reads the row within moments.
      await sql`
        with old as (delete from ingot.channel_messages where created_at < now() - interval '1 minute'),
        message as (insert into ingot.channel_messages (message) values (${text}) returning id)
        select pg_notify(${NOTIFICATION}, '#' || id) from message`
    },
    async listen({ receive, missed }) {
      const take = async (text: string): Promise<void> => {
        try {
          const message = fromText((await read(text)) ?? '')
          if (message === null) missed()
          else receive(message)
        } catch {
          missed()
        }
      }
      let isFirst = true
      listening = await sql.listen(
        NOTIFICATION,
        (text) => void turns.run(() => take(text)),
        () => {
          // Called again after a lost connection.
          if (!isFirst) missed()
          isFirst = false
        },
      )
    },
    async close() {
      // Listening has already ended when the connection is lost.
      await listening?.unlisten().catch(() => undefined)
    },
  }
}
