/** Carries messages through Redis or Valkey. */
import { Redis } from 'iovalkey'
import { fromText, type MessageBus, toText } from './bus.ts'

/** Timeout of a command, and maximum delay between retries, in milliseconds. */
const TIMEOUT = 2_000

/**
 * Creates the bus.
 * @param databaseId identifies the database, because several databases may share one Redis server
 */
export function redisBus(url: string, databaseId: string): MessageBus {
  const name = `ingot:messages:${databaseId}`
  let sender: Redis | null = null
  let reader: Redis | null = null
  const connect = (): Redis => {
    const redis = new Redis(url, {
      connectTimeout: TIMEOUT,
      commandTimeout: TIMEOUT,
      maxRetriesPerRequest: 1,
      retryStrategy: (times) => Math.min(50 * 2 ** times, TIMEOUT),
    })
    // Each failed command rejects for its own caller, so this event needs no handling.
    redis.on('error', () => undefined)
    return redis
  }
  return {
    async publish(message) {
      sender ??= connect()
      await sender.publish(name, toText(message))
    },
    async listen({ receive, missed }) {
      reader ??= connect()
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
