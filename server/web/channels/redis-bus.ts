/** Carries messages through Redis or Valkey. */
import type { Redis } from 'iovalkey'
import { connectRedis } from '../cache/redis.ts'
import { fromText, type MessageBus, toText } from './bus.ts'

/**
 * Creates the bus.
 * @param databaseId identifies the database, because several databases may share one Redis server
 */
export function redisBus(url: string, databaseId: string): MessageBus {
  const name = `ingot:messages:${databaseId}`
  let sender: Redis | null = null
  let reader: Redis | null = null
  return {
    async publish(message) {
      sender ??= connectRedis(url)
      await sender.publish(name, toText(message))
    },
    async listen({ receive, missed }) {
      reader ??= connectRedis(url)
      reader.on('message', (_: string, text: string) => {
        const message = fromText(text)
        if (message !== null) receive(message)
      })
      await reader.subscribe(name)
      // The client subscribes again by itself after a lost connection.
      reader.on('ready', missed)
    },
    async close() {
      sender?.disconnect()
      reader?.disconnect()
    },
  }
}
