/**
 * The messages of Action Cable, the protocol of `/websocket`. The client is the npm package `@rails/actioncable`. Each
 * message is a JSON text. Source: the guides of Ruby on Rails, and the client's code.
 */
import * as z from 'zod'
import { isHash, type HashValue } from '../../../runtime/page/values/hash.ts'
import { parseJson } from '../../../runtime/page/values/json.ts'

/** The subprotocol that the client must offer if it offers any. */
export const PROTOCOL = 'actioncable-v1-json'

/** Maximum length of an identifier in characters. Each message of the subscription repeats it. */
const MAX_IDENTIFIER = 4_096
const MAX_NAME = 200

const commandSchema = z.object({
  command: z.enum(['subscribe', 'unsubscribe', 'message']),
  identifier: z.string().max(MAX_IDENTIFIER),
  data: z.string().optional(),
})

/** A message of the client. */
export type Command = z.infer<typeof commandSchema>

/** What a client subscribes to. */
export interface Target {
  /** Name of the channel, which is also the folder of its partials. */
  readonly channel: string
  /** The room as text; '' for none. */
  readonly room: string
  /** All fields of the identifier. */
  readonly fields: HashValue
}

/** The reasons for which a subscription is refused. Only `internal` is worth another attempt. */
export type RefusalCode = 'unauthorized' | 'instance_not_found' | 'subscribed_partial_error' | 'internal'

/** Why the server closes a connection. Clients with `reconnect: false` do not try again. */
export type CloseReason = 'unauthorized' | 'server_restart' | 'remote'

/** Parses a message of the client. Returns null for everything that is not a command. */
export function parseCommand(text: string): Command | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  return commandSchema.safeParse(value).data ?? null
}

/** Names of channels are also paths of partials, so they have no empty segments and no dots. */
const channelSchema = z
  .string()
  .max(MAX_NAME)
  .regex(/^[\w-]+(?:\/[\w-]+)*$/)
const roomSchema = z.union([z.string().max(MAX_NAME), z.number(), z.boolean()]).nullish()

/** Parses the identifier of a subscription. Returns null when it does not name a channel and, at most, one room. */
export function parseTarget(identifier: string): Target | null {
  const fields = parseHash(identifier)
  const channel = channelSchema.safeParse(fields?.['channel'])
  const room = roomSchema.safeParse(plainNumber(fields?.['room_id']))
  if (fields === null || !channel.success || !room.success) return null
  return { channel: channel.data, room: String(room.data ?? ''), fields }
}

/** Parses a text as a JSON object. Returns null for all other texts. */
export function parseHash(text: string): HashValue | null {
  try {
    const value = parseJson(text)
    return isHash(value) ? value : null
  } catch {
    return null
  }
}

// Numbers such as 3.0 and long integers are objects in templates.
function plainNumber(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isHash(value) ? String(value) : value
}

export const WELCOME = JSON.stringify({ type: 'welcome' })

/** @param now milliseconds since 1970 */
export function ping(now: number): string {
  return JSON.stringify({ type: 'ping', message: Math.floor(now / 1_000) })
}

export function confirmation(identifier: string): string {
  return JSON.stringify({ identifier, type: 'confirm_subscription' })
}

export function rejection(identifier: string): string {
  return JSON.stringify({ identifier, type: 'reject_subscription' })
}

export function disconnection(reason: CloseReason, reconnect: boolean): string {
  return JSON.stringify({ type: 'disconnect', reason, reconnect })
}

/** Texts of refusals. They are generic, so that clients learn nothing about the site. */
const REFUSALS: Readonly<Record<RefusalCode, string>> = {
  unauthorized: 'You are not allowed to subscribe to this channel.',
  instance_not_found: 'The site is not available.',
  subscribed_partial_error: 'The subscription could not be checked.',
  internal: 'The server could not check the subscription. Try again.',
}

/** Returns the message that explains a rejection. It is sent before the rejection, which cannot contain a reason. */
export function refusal(identifier: string, code: RefusalCode): string {
  const message = { type: 'subscription_error', code, message: REFUSALS[code], retryable: code === 'internal' }
  return JSON.stringify({ identifier, message })
}

/** Returns the beginning of all messages of a subscription; the payload as JSON and `}` follow. */
export function messageHead(identifier: string): string {
  return `{"identifier":${JSON.stringify(identifier)},"message":`
}
