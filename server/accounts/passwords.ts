/**
 * Hashes passwords with argon2id. Only a few hashes are computed at once, so that many log-ins cannot exhaust the
 * machine.
 */
import { neededPackage } from '../../runtime/page/needed-package.ts'
import { BadRequest } from '../http/message.ts'
import { Room } from '../http/room.ts'

/**
 * OWASP's recommendation: 19 MiB, two passes, one lane. The algorithm is not named because argon2id is the library's
 * default, and its enum is a const enum, which type stripping cannot resolve.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const
/** Hashes computed at once: half of the thread pool, which file access and DNS look-ups also use. */
const MAX_RUNNING = 2
/** Hashes of clients that may wait, a `Room` for all of them. */
const MAX_WAITING = 100

// Loaded on first use: a native library that sites without accounts and most jobs never need.
const argon2 = () => neededPackage('@node-rs/argon2', 'A password', () => import('@node-rs/argon2'))

/** Thrown when hashes of other requests leave no place to wait for one. */
export class PasswordsCrowded extends BadRequest {
  constructor() {
    super('too many passwords are being checked at once: try again in a few seconds', 503)
  }
}

let working = 0
const waiting: (() => void)[] = []
const places = new Room(MAX_WAITING)

/**
 * Hashes a password for storage: `$argon2id$v=19$m=…`.
 * @param from IP address of the client; null for a program of our own, which always waits
 * @throws PasswordsCrowded
 */
export function hashPassword(plain: string, from: string | null = null): Promise<string> {
  return inTurn(from, async () => (await argon2()).hash(plain, COST))
}

/**
 * Whether a password matches a stored hash.
 * @param stored null or a text that is no hash takes the same time and never matches
 * @param from as in `hashPassword`
 * @throws PasswordsCrowded
 */
export async function verifyPassword(
  stored: string | null,
  plain: string,
  from: string | null = null,
): Promise<boolean> {
  const ours = stored?.startsWith('$argon2') === true ? stored : null
  const imported = isImported(stored) ? stored : null
  // Created by the first check whether or not it needs it, so that the time of a check does not tell whether the user
  // exists.
  const decoy = await decoyHash()
  try {
    const right = await inTurn(from, async () => (await argon2()).verify(ours ?? decoy, plain))
    if (imported !== null) return await inTurn(from, async () => (await import('bcryptjs')).compare(plain, imported))
    return right && ours !== null
  } catch (error) {
    if (error instanceof PasswordsCrowded) throw error
    // A damaged hash matches no password.
    return false
  }
}

/** Highest accepted cost of a bcrypt hash (2^14 rounds), so that a log-in does not take minutes. */
const MAX_COST = 14

/** Whether a stored hash is an imported bcrypt hash; it is replaced at the next log-in. */
export function isImported(stored: string | null): stored is string {
  const cost = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(stored ?? '')?.[1]
  return cost !== undefined && Number(cost) <= MAX_COST
}

let decoyPromise: Promise<string> | null = null

function decoyHash(): Promise<string> {
  decoyPromise ??= hashPassword('nobody').catch((error: unknown) => {
    decoyPromise = null
    throw error
  })
  return decoyPromise
}

async function inTurn<T>(from: string | null, task: () => Promise<T>): Promise<T> {
  if (working >= MAX_RUNNING) await nextTurn(from)
  else working++
  try {
    return await task()
  } finally {
    // Hand the slot to the caller that has waited longest, or free it.
    const next = waiting.shift()
    if (next === undefined) working--
    else next()
  }
}

function nextTurn(from: string | null): Promise<void> {
  return new Promise((done, refuse) => {
    const begin = (): void => {
      place?.leave()
      done()
    }
    const giveWay = (): void => {
      waiting.splice(waiting.indexOf(begin), 1)
      place?.leave()
      refuse(new PasswordsCrowded())
    }
    const place = from === null ? null : places.open(from, giveWay)
    if (place === null || place.take(1)) waiting.push(begin)
    else {
      place.leave()
      refuse(new PasswordsCrowded())
    }
  })
}
