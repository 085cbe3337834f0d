/** The buses that carry messages between processes: PostgreSQL, and a real Redis or Valkey if one is installed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MessageBus, RoomMessage } from '../../../../server/web/channels/bus.ts'
import { openBus } from '../../../../server/web/channels/open-bus.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { REAL, realServer, type RedisServer } from '../cache/real-redis.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

interface Listener {
  readonly bus: MessageBus
  readonly received: RoomMessage[]
  missed: number
}

async function listener(redisUrl: string | null): Promise<Listener> {
  const bus = openBus(database.sql, redisUrl)
  const opened: Listener = { bus, received: [], missed: 0 }
  await bus.listen({ receive: (message) => void opened.received.push(message), missed: () => void opened.missed++ })
  return opened
}

const message = (text: string, room = 'a'): RoomMessage => ({
  channel: 'chat',
  room,
  payload: JSON.stringify({ text }),
})

async function until(isTrue: () => boolean): Promise<void> {
  for (const end = performance.now() + 10_000; !isTrue() && performance.now() < end; ) await sleep(5)
}

for (const [name, isThere, start] of [
  ['PostgreSQL', true, async () => null],
  [`Redis (${REAL ?? 'not installed'})`, REAL !== null, realServer],
] as const)
  describe.skipIf(!isThere)(name, () => {
    let server: RedisServer | null
    let url: string | null
    beforeAll(async () => {
      server = await start()
      url = server?.url ?? null
    })
    afterAll(() => server?.close())

    test('gives all messages to all processes, in order, each once', async () => {
      const all = await Promise.all([listener(url), listener(url), listener(url)])
      // Small and large ones, some of them equal, and texts that JSON escapes.
      const texts = [...Array(60).keys()].map((n) =>
        n % 7 === 3 ? 'ł'.repeat(9_000) : n % 5 === 0 ? 'same' : `"${n}\n\0`,
      )
      for (const text of texts) await all[0].bus.publish(message(text))
      for (const { received } of all) await until(() => received.length >= texts.length)
      await sleep(50)
      for (const { received, missed } of all) {
        expect(received).toEqual(texts.map((text) => message(text)))
        expect(missed).toBe(0)
      }
      await Promise.all(all.map(({ bus }) => bus.close()))
    })

    test('reports that messages may have been missed when its connection was lost', async () => {
      const one = await listener(url)
      if (server === null)
        await database.sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query ilike 'listen %' and pid <> pg_backend_pid()`
      else {
        const { Redis } = await import('iovalkey')
        const client = new Redis(server.url)
        await client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
        client.disconnect()
      }
      await until(() => one.missed > 0)
      expect(one.missed).toBeGreaterThan(0)
      await one.bus.publish(message('after'))
      await until(() => one.received.length > 0)
      expect(one.received).toEqual([message('after')])
      await one.bus.close()
    })
  })

test('PostgreSQL keeps large messages for a minute', async () => {
  const one = await listener(null)
  await database.sql`insert into ingot.channel_messages (message, created_at) values ('old', now() - interval '2 minutes')`
  await one.bus.publish(message('x'.repeat(10_000)))
  await until(() => one.received.length === 1)
  const rows = await database.sql`select length(message) as length from ingot.channel_messages order by id desc limit 1`
  expect(rows[0]?.['length']).toBeGreaterThan(10_000)
  expect(await database.sql`select from ingot.channel_messages where message = 'old'`).toHaveLength(0)
  await one.bus.close()
})
