/** Opens the bus of a process. */
import type { Sql } from 'postgres'
import { identifyDatabase } from '../cache/open.ts'
import type { MessageBus } from './bus.ts'
import { databaseBus } from './database-bus.ts'

/**
 * Opens the bus: through Redis if it is configured, otherwise through the database.
 * @param redisUrl null without Redis
 */
export function openBus(sql: Sql, redisUrl: string | null): MessageBus {
  if (redisUrl === null) return databaseBus(sql)
  // Connected on first use, because most processes send no message.
  let opened: Promise<MessageBus> | null = null
  const open = async (): Promise<MessageBus> => {
    const [{ redisBus }, home] = await Promise.all([import('./redis-bus.ts'), identifyDatabase(sql)])
    return redisBus(redisUrl, home)
  }
  const bus = (): Promise<MessageBus> => (opened ??= open())
  return {
    publish: async (message) => (await bus()).publish(message),
    listen: async (reader) => (await bus()).listen(reader),
    close: async () => (await opened)?.close(),
  }
}
