/**
 * Hashes passwords with argon2id. Only a few hashes are computed at once, so that many sign-ins cannot exhaust the
 * machine. The queue is shared fairly between networks.
 */
import { loadPackage } from '../../../runtime/page/optional-package.ts'
import { Crowded } from '../site/session.ts'
import { FairQueue } from './fair-queue.ts'

/**
 * OWASP's recommendation: 19 MiB, two passes, one lane. The algorithm is not named, because argon2id is the library's
 * default, and the library's const enum does not work with type stripping.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const
/**
 * Maximum number of hashes computed at once. They use half of the thread pool, which file access and DNS look-ups also
 * need.
 */
const MAX_RUNNING = 2
/** Maximum number of waiting hashes. With two hashes at once, the last one waits two or three seconds. */
const MAX_WAITING = 100

// Loaded on first use, because sites without accounts and most jobs never need this native library.
const loadArgon2 = () => loadPackage('@node-rs/argon2', 'A password', () => import('@node-rs/argon2'))

// One queue per process, because all its sites share the thread pool.
const queue = new FairQueue(MAX_RUNNING, MAX_WAITING)

/** Sets the maximum number of waiting hashes of visitors in this process. */
export function setMaxWaitingHashes(maxWaiting: number): void {
  queue.maxWaiting = maxWaiting
}

/**
 * Checks that another hash would be accepted.
 * @throws Crowded when too many hashes wait
 */
export function requireRoom(network: string | null): void {
  queue.check(network)
}

/**
 * Hashes a password for storage, in the format `$argon2id$v=19$m=…`.
 * @param network the visitor's network; null for API clients, jobs and imports
 * @throws Crowded when too many hashes wait
 */
export function hashPassword(password: string, network: string | null = null): Promise<string> {
  return queue.run(network, async () => (await loadArgon2()).hash(password, COST))
}

/**
 * Checks whether a password matches a stored hash.
 * @param storedHash null or an invalid hash never matches and takes the same time
 * @param network the visitor's network; null for API clients, jobs and imports
 * @throws Crowded when too many hashes wait
 */
export async function verifyPassword(
  storedHash: string | null,
  password: string,
  network: string | null = null,
): Promise<boolean> {
  const argonHash = storedHash?.startsWith('$argon2') === true ? storedHash : null
  const bcryptHash = isImportedHash(storedHash) ? storedHash : null
  // The first check creates the decoy hash even if it does not need it, so that timing does not reveal whether the user
  // exists.
  const decoy = await decoyHash()
  try {
    const matches = await queue.run(network, async () => (await loadArgon2()).verify(argonHash ?? decoy, password))
    if (bcryptHash !== null)
      return await queue.run(network, async () => (await import('bcryptjs')).compare(password, bcryptHash))
    return matches && argonHash !== null
  } catch (error) {
    if (error instanceof Crowded) throw error
    // A damaged hash matches no password.
    return false
  }
}

/** Highest accepted cost of a bcrypt hash (2^14 rounds), so that a sign-in does not take minutes. */
const MAX_COST = 14

/** Checks whether a stored hash is an imported bcrypt hash. Such a hash is replaced at the next sign-in. */
export function isImportedHash(storedHash: string | null): storedHash is string {
  const cost = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(storedHash ?? '')?.[1]
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
