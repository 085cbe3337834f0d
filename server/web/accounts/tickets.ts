/**
 * The content of the session cookie: a signed id. A fresh session has no data and no row. Its id is random, and its
 * CSRF secret is derived from the id. A stored session has a row and an id that clients cannot derive.
 */
import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { sameDigest } from '../../data/store/tokens.ts'
import { SECRET_BYTES } from './csrf.ts'

export interface Ticket {
  readonly kind: 'fresh' | 'stored'
  readonly id: string
  /**
   * The minute since 1970 in which the cookie of a fresh ticket was set. It is 0 for a stored ticket, whose row holds
   * the times.
   */
  readonly minute: number
}

export interface Tickets {
  /** Creates a ticket for a fresh session. */
  fresh(): Ticket
  /** Creates a ticket for a stored session with a new id. */
  stored(): Ticket
  /**
   * Returns the stored ticket that replaces a fresh one. The result is deterministic, so that concurrent requests write
   * to one session.
   */
  toStoredTicket(fresh: Ticket): Ticket
  /** Returns the CSRF secret of a fresh session. */
  deriveCsrfSecret(fresh: Ticket): Buffer
  /** Formats the ticket as a cookie value. */
  write(ticket: Ticket): string
  /** Parses a cookie value. Returns null when it has no valid signature. */
  read(value: string): Ticket | null
}

/** Returns the key of the session's row. */
export function rowKeyOf(ticket: Ticket): string {
  return createHash('sha256').update(ticket.id).digest('hex')
}

const COOKIE_FORMAT = /^(f)\.([\w-]{32})\.([0-9a-z]{1,8})\.([\w-]{43})$|^(s)\.([\w-]{32})\.([\w-]{43})$/

/**
 * Creates the functions that read and write tickets.
 * @param secret the installation's secret
 * @param now returns the current time in milliseconds
 */
export function createTickets(secret: string, now: () => number): Tickets {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ingot sessions', 32))
  const mac = (purpose: string, text: string): Buffer =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest()
  const random = (): string => randomBytes(24).toString('base64url')

  return {
    fresh: () => ({ kind: 'fresh', id: random(), minute: Math.floor(now() / 60_000) }),
    stored: () => ({ kind: 'stored', id: random(), minute: 0 }),
    toStoredTicket: ({ id }) => ({
      kind: 'stored',
      id: mac('row', id).subarray(0, 24).toString('base64url'),
      minute: 0,
    }),
    deriveCsrfSecret: ({ id }) => mac('csrf', id).subarray(0, SECRET_BYTES),
    write({ kind, id, minute }) {
      const text = kind === 'fresh' ? `f.${id}.${minute.toString(36)}` : `s.${id}`
      return `${text}.${mac('cookie', text).toString('base64url')}`
    },
    read(value) {
      const match = COOKIE_FORMAT.exec(value)
      if (match === null) return null
      const dot = value.lastIndexOf('.')
      const signature = mac('cookie', value.slice(0, dot)).toString('base64url')
      if (!sameDigest(Buffer.from(value.slice(dot + 1)), Buffer.from(signature))) return null
      if (match[5] !== undefined) return { kind: 'stored', id: match[6] ?? '', minute: 0 }
      return { kind: 'fresh', id: match[2] ?? '', minute: Number.parseInt(match[3] ?? '0', 36) }
    },
  }
}
