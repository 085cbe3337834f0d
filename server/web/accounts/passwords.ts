/**
 * Hashes passwords with argon2id. Only a few hashes are computed at once, so that many log-ins cannot exhaust the
 * machine, and each network gets its share of them.
 */
import { loadPackage } from '../../../runtime/page/optional-package.ts'
import { Crowded } from '../site/session.ts'
import { FairQueue } from './fair-queue.ts'

/**
 * OWASP's recommendation: 19 MiB, two passes, one lane. The algorithm is not named because argon2id is the library's
 * default, and its enum is a const enum, which type stripping cannot resolve.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const
/** Hashes computed at once: half of the thread pool, which file access and DNS look-ups also use. */
const MAX_RUNNING = 2
/** Hashes that may wait: with two at once, the last one has its turn after two or three seconds. */
const MAX_WAITING = 100

// Loaded on first use: a native library that sites without accounts and most jobs never need.
const argon2 = () => loadPackage('@node-rs/argon2', 'A password', () => import('@node-rs/argon2'))

// One for the process, whose threads all its sites share.
const queue = new FairQueue(MAX_RUNNING, MAX_WAITING)

/** Sets how many hashes of visitors may wait in this process. */
export function boundPasswords(most: number): void {
  queue.most = most
}

/** @throws Crowded when so many hashes wait that the next one would be refused */
export function refuseCrowd(network: string | null): void {
  queue.check(network)
}

/**
 * Hashes a password for storage: `$argon2id$v=19$m=…`.
 * @param network of the visitor; null for programs, jobs and imports
 * @throws Crowded when too many hashes wait
 */
export function hashPassword(plain: string, network: string | null = null): Promise<string> {
  return queue.run(network, async () => (await argon2()).hash(plain, COST))
}

/**
 * Whether a password matches a stored hash.
 * @param stored null or a text that is no hash takes the same time and never matches
 * @param network of the visitor; null for programs, jobs and imports
 * @throws Crowded when too many hashes wait
 */
export async function verifyPassword(
  stored: string | null,
  plain: string,
  network: string | null = null,
): Promise<boolean> {
  const ours = stored?.startsWith('$argon2') === true ? stored : null
  const imported = isImported(stored) ? stored : null
  // Created by the first check whether or not it needs it, so that the time of a check does not tell whether the user
  // exists.
  const decoy = await decoyHash()
  try {
    const right = await queue.run(network, async () => (await argon2()).verify(ours ?? decoy, plain))
    if (imported !== null)
      return await queue.run(network, async () => (await import('bcryptjs')).compare(plain, imported))
    return right && ours !== null
  } catch (error) {
    if (error instanceof Crowded) throw error
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
