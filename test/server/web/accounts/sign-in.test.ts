/**
 * Signing in by email and password: which credentials are accepted, how many failures are allowed, and what a stranger can learn from the
 * responses.
 */
import { hash } from '@node-rs/argon2'
import { hash as bcrypt } from 'bcryptjs'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createAccounts } from '../../../../server/web/accounts/accounts.ts'
import { createDevices } from '../../../../server/web/accounts/devices.ts'
import { network } from '../../../../server/web/http/network.ts'
import { hashPassword, verifyPassword } from '../../../../server/web/accounts/passwords.ts'
import { createStatements, type Statements } from '../../../../server/web/graphql/database/statements.ts'
import { purge } from '../../../../server/data/store/purge.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'

/** The costs of the stored hashes that were verified. The library works as usual. */
const hashed = vi.hoisted(() => ({ costs: [] as string[] }))
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>()
  const verify: typeof real.verify = (stored, ...more) => {
    hashed.costs.push(String(stored).split('$').slice(0, 4).join('$'))
    return real.verify(stored, ...more)
  }
  return { ...real, verify }
})

let database: TestDatabase
let statements: Statements
let ann: string
/** The statements that were sent to the database. */
let asked: string[] = []

const limits = { address: 6, account: 3, everywhere: 9, within: 900 }
const WRONG = { refused: 'wrong' }

function accounts(secret = 'of these tests') {
  const run: Statements['run'] = (statement, ...more) => {
    asked.push(statement.text)
    return statements.run(statement, ...more)
  }
  return createAccounts({
    statements: { run, toFailure: (...given) => statements.toFailure(...given) },
    secret,
    limits,
  })
}

beforeAll(async () => {
  database = await testDatabase()
  const logger = pino({ level: 'silent' })
  statements = createStatements({ sql: database.sql, replica: null }, logger)
  const [row] = await database.sql`
    insert into ingot.users (email, slug, encrypted_password)
    values ('Ann@Example.com', 'ann', ${await hashPassword('correct horse')}) returning id::text`
  ann = String(row?.['id'])
  await database.sql`insert into ingot.users (email, slug) values ('none@example.com', 'none')`
  await database.sql`
    insert into ingot.users (email, slug, encrypted_password, deleted_at)
    values ('gone@example.com', 'gone', ${await hashPassword('correct horse')}, now())`
})

afterEach(async () => {
  asked = []
  await database.sql`delete from ingot.attempts`
})
afterAll(() => database?.close())

describe('a password', () => {
  test('is stored as a slow hash with its own salt', async () => {
    const [a, b] = await Promise.all([hashPassword('secret1'), hashPassword('secret1')])
    expect(a).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(a).not.toBe(b)
    expect(await verifyPassword(a, 'secret1')).toBe(true)
    expect(await verifyPassword(a, 'secret2')).toBe(false)
    expect(await verifyPassword(a, 'secret1 ')).toBe(false)
  })

  test('of other letters than ASCII, with NUL, and of any length', async () => {
    for (const password of ['zażółć gęślą jaźń 🐎', 'a\0b', 'x'.repeat(4096), '']) {
      const stored = await hashPassword(password)
      expect(await verifyPassword(stored, password)).toBe(true)
      expect(await verifyPassword(stored, `${password}.`)).toBe(false)
    }
    expect(await verifyPassword(await hashPassword('a\0b'), 'a\0c')).toBe(false)
  })

  test('is verified with the cost that it was stored with', async () => {
    expect(await verifyPassword(await hash('old', { memoryCost: 8192, timeCost: 1 }), 'old')).toBe(true)
  })

  test.each([[null], [''], ['correct horse'], ['$argon2id$v=19$m=19456'], ['$2b$10$abcdefghijklmnopqrstuv']])(
    'is nobody’s where %j is stored',
    async (stored) => expect(await verifyPassword(stored, 'nobody')).toBe(false),
  )

  test('of many at once are checked one after another, and all of them', async () => {
    const stored = await hashPassword('right')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => verifyPassword(stored, n % 2 === 0 ? 'right' : 'x')),
    )
    expect(answers).toEqual(Array.from({ length: 20 }, (_, n) => n % 2 === 0))
  })
})

describe('who signs in', () => {
  test.each(['ann@example.com', 'ANN@EXAMPLE.COM', '  Ann@Example.com '])('as %j is found', async (email) => {
    expect(await accounts().signInByPassword(email, 'correct horse', '1.2.3.4')).toEqual({ user: ann })
  })

  test.each([
    ['ann@example.com', 'wrong'],
    ['ann@example.com', ''],
    ['ann@example.com', `correct horse${'x'.repeat(5000)}`],
    ['nobody@example.com', 'correct horse'],
    ['none@example.com', 'nobody'],
    ['none@example.com', ''],
    ['gone@example.com', 'correct horse'],
    ['', 'correct horse'],
    ['%', 'correct horse'],
    ["' or 1=1 --", 'correct horse'],
    ['ann@example.com\0', 'correct horse'],
    ['\ud800', 'correct horse'],
    ['x'.repeat(100_000), 'correct horse'],
  ])('as %j by %j is wrong', async (email, password) => {
    expect(await accounts().signInByPassword(email, password, '1.2.3.4')).toEqual(WRONG)
  })

  test('makes the server do the same, whether there is such a user', async () => {
    const { signInByPassword } = accounts()
    const work: { queries: readonly string[]; hashes: readonly string[] }[] = []
    for (const email of ['ann@example.com', 'nobody@example.com', 'none@example.com', 'gone@example.com', '']) {
      asked = []
      hashed.costs = []
      expect(await signInByPassword(email, 'wrong', '1.2.3.4')).toEqual(WRONG)
      work.push({ queries: asked, hashes: hashed.costs })
    }
    const [first, ...others] = work
    expect(first?.queries).toHaveLength(2)
    // A hash costs far more than everything else, so a skipped hash would be noticeable.
    expect(first?.hashes).toEqual(['$argon2id$v=19$m=19456,t=2,p=1'])
    for (const other of others) expect(other).toEqual(first)
  })
})

test('a crowd is asked to come again, before it eats the machine', async () => {
  const { signInByPassword } = accounts()
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, n) => signInByPassword(`nobody${n}@example.com`, 'wrong', `10.1.0.${n}`)),
  )
  const refused = answers.filter((answer) => 'refused' in answer && answer.refused === 'limited')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(20)
  expect(refused[0]).toEqual({ refused: 'limited', retryAfter: 5 })
})

describe('attempts', () => {
  test('for one account from one network end after some, and lock nobody out elsewhere', async () => {
    const { signInByPassword } = accounts()
    for (let n = 0; n < limits.account; n++) {
      expect(await signInByPassword('ann@example.com', 'wrong', '10.0.0.9')).toEqual(WRONG)
    }
    expect(await signInByPassword('ann@example.com', 'correct horse', '10.0.0.1')).toEqual({ user: ann })
    const refused = await signInByPassword('ANN@example.com ', 'correct horse', '::ffff:10.0.0.9')
    expect(refused).toEqual({ refused: 'limited', retryAfter: expect.any(Number) })
    expect('retryAfter' in refused && refused.retryAfter).toBeGreaterThan(290)
    expect('retryAfter' in refused && refused.retryAfter).toBeLessThanOrEqual(300)
    // Other addresses are not affected.
    expect(await signInByPassword('none@example.com', 'wrong', '10.0.0.9')).toEqual(WRONG)
  })

  test('for accounts that do not exist end like the others', async () => {
    const { signInByPassword } = accounts()
    for (let n = 0; n < limits.account; n++) await signInByPassword('nobody@example.com', 'wrong', '10.0.0.9')
    expect(await signInByPassword('nobody@example.com', 'wrong', '10.0.0.9')).toMatchObject({ refused: 'limited' })
  })

  test('from one address end after some, whatever the accounts', async () => {
    const { signInByPassword } = accounts()
    for (let n = 0; n < limits.address; n++) {
      expect(await signInByPassword(`nobody${n}@example.com`, 'wrong', '10.0.0.1')).toEqual(WRONG)
    }
    expect(await signInByPassword('ann@example.com', 'correct horse', '10.0.0.1')).toMatchObject({ refused: 'limited' })
    // The refused attempt did not count against the account.
    expect(await signInByPassword('ann@example.com', 'correct horse', '10.0.0.2')).toEqual({ user: ann })
  })

  test('at once cannot pass the limit together', async () => {
    const { attempts } = accounts()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => attempts.check('10.0.1.1', `${n % 2 === 0 ? 'ann' : 'ANN'}@example.com`)),
    )
    expect(answers.filter((answer) => answer === 'free')).toHaveLength(limits.account)
    const spread = await Promise.all(
      Array.from({ length: 30 }, (_, n) => attempts.check(`10.0.8.${n}`, 'bob@example.com')),
    )
    expect(spread.filter((answer) => answer === 'free')).toHaveLength(limits.everywhere)
    const others = await Promise.all(
      Array.from({ length: 30 }, (_, n) => attempts.check('10.0.2.1', `${n}@example.com`)),
    )
    expect(others.filter((answer) => answer === 'free')).toHaveLength(limits.address)
  })

  test('are forgiven one by one as time passes, and do not add up while they are refused', async () => {
    const { attempts } = accounts()
    for (let n = 0; n < 20; n++) await attempts.check('10.0.4.4', 'ann@example.com')
    expect(await attempts.check('10.0.4.4', 'ann@example.com')).not.toBe('free')
    await database.sql`update ingot.attempts set until = until - interval '301 seconds'`
    expect(await attempts.check('10.0.4.4', 'ann@example.com')).toBe('free')
    expect(await attempts.check('10.0.4.4', 'ann@example.com')).not.toBe('free')
    await database.sql`update ingot.attempts set until = until - interval '901 seconds'`
    for (let n = 0; n < limits.account; n++) expect(await attempts.check('10.0.4.4', 'ann@example.com')).toBe('free')
  })

  test('that succeed forgive the account, and the address no more than themselves', async () => {
    const { signInByPassword } = accounts()
    for (let round = 0; round < 10; round++) {
      expect(await signInByPassword('ann@example.com', 'correct horse', '10.0.5.1')).toEqual({ user: ann })
    }
    for (let n = 0; n < limits.account - 1; n++) await signInByPassword('ann@example.com', 'wrong', '10.0.5.2')
    expect(await signInByPassword('ann@example.com', 'correct horse', '10.0.5.2')).toEqual({ user: ann })
    for (let n = 0; n < limits.account; n++) {
      expect(await signInByPassword('ann@example.com', 'wrong', '10.0.5.3')).toEqual(WRONG)
    }
    // A successful sign-in to another account does not reset the limit of an address.
    for (let n = 0; n < 4; n++) await signInByPassword(`nobody${n}@example.com`, 'wrong', '10.0.5.2')
    expect(await signInByPassword('nobody9@example.com', 'wrong', '10.0.5.2')).toMatchObject({ refused: 'limited' })
  })

  test('from many networks at one account end too, but not for a device that it knows', async () => {
    const { signInByPassword, attempts } = accounts()
    const device = createDevices('of these tests').remember(null, 'ann@example.com')
    for (let n = 0; n < limits.everywhere; n++) {
      expect(await signInByPassword('ann@example.com', 'wrong', `10.2.0.${n}`)).toEqual(WRONG)
    }
    expect(await signInByPassword('ann@example.com', 'correct horse', '10.2.1.1')).toMatchObject({ refused: 'limited' })
    expect(await signInByPassword(' ANN@example.com', 'correct horse', '10.2.1.1', device)).toEqual({ user: ann })
    // The cookie is not valid for other accounts, or with another signature.
    expect(await attempts.check('10.2.0.1', 'ann@example.com', `${device.slice(0, -1)}!`)).not.toBe('free')
    const foreign = createDevices('another secret').remember(null, 'ann@example.com')
    expect(await attempts.check('10.2.0.1', 'ann@example.com', foreign)).not.toBe('free')
    const others = createDevices('of these tests').remember(null, 'bob@example.com')
    expect(await attempts.check('10.2.0.1', 'ann@example.com', others)).not.toBe('free')
  })

  test('of a known device end by themselves', async () => {
    const { signInByPassword } = accounts()
    const device = createDevices('of these tests').remember(null, 'ann@example.com')
    for (let n = 0; n < limits.account; n++) {
      expect(await signInByPassword('ann@example.com', 'wrong', `10.3.0.${n}`, device)).toEqual(WRONG)
    }
    const limited = { refused: 'limited' }
    expect(await signInByPassword('ann@example.com', 'correct horse', '10.3.1.1', device)).toMatchObject(limited)
    expect(await signInByPassword('ann@example.com', 'correct horse', '10.3.1.1')).toEqual({ user: ann })
  })

  test('of programs are counted by account, not by the one address that all share', async () => {
    const { attempts } = accounts()
    for (let n = 0; n < 20; n++) expect(await attempts.check(null, `${n}@example.com`)).toBe('free')
    for (let n = 0; n < limits.account; n++) expect(await attempts.check(null, 'ann@example.com')).toBe('free')
    expect(await attempts.check(null, 'ann@example.com')).not.toBe('free')
  })

  test('are kept without addresses and names', async () => {
    const { attempts } = accounts()
    await attempts.check('10.0.6.1', 'ann@example.com')
    const texts = (await database.sql`select encode(subject, 'escape') as text from ingot.attempts`).map((row) =>
      String(row['text']),
    )
    expect(texts).toHaveLength(3)
    for (const text of texts) expect(text).not.toMatch(/ann|10\.0/)
  })

  test.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0db8:0001:0002:9999:4:5:6', '2001:db8:1:2'],
    ['2001:DB8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
  ])('from %s are those of %s', (address, expected) => expect(network(address)).toBe(expected))
})

test('what has passed goes at night', async () => {
  const { attempts } = accounts()
  await attempts.check('10.0.7.1', 'ann@example.com')
  await database.sql`
    insert into ingot.attempts (subject, until) select sha256(n::text::bytea), now() - interval '1 hour' from generate_series(1, 6000) n`
  await database.sql`
    insert into ingot.sessions (id, csrf, minutes, expires_at)
    select sha256(n::text::bytea), '', 1, now() + (n - 6000) * interval '1 minute' from generate_series(1, 6001) n`
  expect(await purge(database.sql)).toBe(12_000)
  expect(await database.sql`select from ingot.attempts`).toHaveLength(3)
  expect(await database.sql`select from ingot.sessions`).toHaveLength(1)
})

describe('a password that was imported', () => {
  test('lets its user in, and is made anew then', async () => {
    const brought = await bcrypt('old but gold', 5)
    const [row] = await database.sql`
      insert into ingot.users (email, slug, encrypted_password) values ('old@example.com', 'old', ${brought})
      returning id::text`
    const id = String(row?.['id'])
    const { signInByPassword } = accounts()
    expect(await signInByPassword('old@example.com', 'old but new', '10.9.0.1')).toEqual(WRONG)
    const stored = async (): Promise<string> => {
      const [found] = await database.sql`select encrypted_password from ingot.users where id = ${id}`
      return String(found?.['encrypted_password'])
    }
    expect(await stored()).toBe(brought)
    expect(await signInByPassword('old@example.com', 'old but gold', '10.9.0.1')).toEqual({ user: id })
    expect(await stored()).toMatch(/^\$argon2id\$/)
    expect(await signInByPassword('old@example.com', 'old but gold', '10.9.0.1')).toEqual({ user: id })
  })

  test('is not tried where that would take for ever, or it is damaged', async () => {
    const brought = await bcrypt('secret1', 4)
    expect(await verifyPassword(brought, 'secret1')).toBe(true)
    expect(await verifyPassword(brought.replace('$04$', '$31$'), 'secret1')).toBe(false)
    expect(await verifyPassword(brought.slice(0, -1), 'secret1')).toBe(false)
  })
})
