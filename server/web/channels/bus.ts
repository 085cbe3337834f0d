/** Carries messages between all processes of a site, on one machine or several. */

import type { RoomMessage } from '../../../runtime/data/query/effects.ts'

export type { RoomMessage }

/** What a process does with messages. */
export interface BusReader {
  /** Called for each message, in the order in which the messages were sent, also for messages of this process. */
  readonly receive: (message: RoomMessage) => void
  /** Called after a time in which messages may have been missed. */
  readonly missed: () => void
}

export interface MessageBus {
  /**
   * Sends a message to all processes.
   * @throws the client's errors when the message was not sent
   */
  publish(message: RoomMessage): Promise<void>
  /**
   * Receives messages from now on. Called at most once.
   * @throws the client's errors when the bus cannot be reached
   */
  listen(reader: BusReader): Promise<void>
  close(): Promise<void>
}

/** Writes a message as text. */
export function toText({ channel, room, payload }: RoomMessage): string {
  return JSON.stringify([channel, room, payload])
}

/** Reads a text of `toText`. Returns null for all other texts. */
export function fromText(text: string): RoomMessage | null {
  let fields: unknown
  try {
    fields = JSON.parse(text)
  } catch {
    return null
  }
  if (!Array.isArray(fields)) return null
  const [channel, room, payload]: readonly unknown[] = fields
  if (typeof channel !== 'string' || typeof room !== 'string' || typeof payload !== 'string') return null
  return { channel, room, payload }
}
