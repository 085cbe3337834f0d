/** Carries messages inside one process, for tests of a site. */
import type { BusReader, MessageBus } from './bus.ts'

/** Creates the bus. */
export function localBus(): MessageBus {
  let reader: BusReader | null = null
  return {
    publish: async (message) => reader?.receive(message),
    async listen(next) {
      reader = next
    },
    async close() {
      reader = null
    },
  }
}
