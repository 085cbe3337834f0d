/** Passwords: argon2id, and only a few at once, so that a flood of log-ins cannot eat the machine. */
/**
 * As OWASP recommends: 19 MiB, two passes, one lane. The algorithm is argon2id by the library's default: its names are a
 * const enum, which does not survive the removal of types.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const
/** Hashes at once: half of the threads that files and addresses are looked up by, too. */
const AT_ONCE = 2
/** Waiting hashes; a check that comes later is told to come again. */
const CROWD = 100

// A program of the machine, which sites without accounts and most jobs never need.
const argon2 = () => import('@node-rs/argon2')

let working = 0
const waiting: (() => void)[] = []

/** Whether so many are waiting that who asks now had better come again. */
export function passwordsCrowded(): boolean {
  return waiting.length >= CROWD
}

/** The hash of a password, as it is stored: `$argon2id$v=19$m=…`. */
export function hashPassword(plain: string): Promise<string> {
  return inTurn(async () => (await argon2()).hash(plain, COST))
}

/**
 * Whether a password belongs to a stored hash.
 * @param stored null, or a text that is no hash of ours, takes the same time and is never right
 */
export async function verifyPassword(stored: string | null, plain: string): Promise<boolean> {
  const ours = stored?.startsWith('$argon2') === true ? stored : null
  const brought = isImported(stored) ? stored : null
  // Made by the first check of all, whatever that one finds, so that it tells nothing.
  const spare = await nobodys()
  try {
    const right = await inTurn(async () => (await argon2()).verify(ours ?? spare, plain))
    if (brought !== null) return await inTurn(async () => (await import('bcryptjs')).compare(plain, brought))
    return right && ours !== null
  } catch {
    // A damaged hash is nobody's either.
    return false
  }
}

/** Of bcrypt, at most so dear that a log-in does not take minutes: 2 to this power rounds. */
const DEAREST = 14

/** Whether a stored hash was brought along from elsewhere: it is verified, and made anew at the next log-in. */
export function isImported(stored: string | null): stored is string {
  const cost = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(stored ?? '')?.[1]
  return cost !== undefined && Number(cost) <= DEAREST
}

let decoy: Promise<string> | null = null

function nobodys(): Promise<string> {
  decoy ??= hashPassword('nobody').catch((error: unknown) => {
    decoy = null
    throw error
  })
  return decoy
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (working >= AT_ONCE) await new Promise<void>((go) => waiting.push(go))
  else working++
  try {
    return await work()
  } finally {
    // The place goes on to who waits longest, else it is free.
    const next = waiting.shift()
    if (next === undefined) working--
    else next()
  }
}
