/** A database on this machine that does not answer for a while, as on an overloaded machine. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { expect, type TestContext, test } from 'vitest'
import { connect } from '../../../../server/data/store/connection.ts'
import { openStore } from '../../../../server/data/store/store.ts'
import { testDatabase } from '../../../support/database.ts'
import { type Door, openDoor } from '../../web/graphql/door.ts'

/** Milliseconds of silence. A remote database that is silent for this long counts as unreachable. */
const SILENCE = 4_000

/** Milliseconds after which a connection attempt is given up, with a margin. */
const ATTEMPT = 12_000

/** Opens a proxy for the database on a local socket. It can be silenced. */
async function silenced(test: TestContext): Promise<{ readonly door: Door; readonly url: string }> {
  const database = await testDatabase()
  test.onTestFinished(() => database.close())
  const folder = mkdtempSync(join(tmpdir(), 'ingot-busy-'))
  test.onTestFinished(() => rmSync(folder, { recursive: true }))
  const door = await openDoor(database.url, folder)
  test.onTestFinished(() => door.close())
  const { user, database: name, port } = door.address
  return { door, url: `postgres://${user}@/${name}?host=${encodeURIComponent(folder)}&port=${port}` }
}

test.concurrent('what begins beside a silent database of this machine waits for it', async (test) => {
  const { door, url } = await silenced(test)
  door.freeze(true)
  const begun = connect(url, 'DATABASE_URL', { pool: 1, name: 'tests' })
  await sleep(ATTEMPT)
  door.freeze(false)
  const sql = await begun
  test.onTestFinished(() => sql.end())
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
})

test.concurrent('what a silent database of this machine is asked waits, and nothing is refused', async (test) => {
  const { door, url } = await silenced(test)
  const warnings: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) })
  const store = await openStore({ url, replicaUrl: null, replicaLag: 0, pool: 2, logger })
  test.onTestFinished(() => store.close())
  await store.sql`select 1`

  door.freeze(true)
  const asked = store.sql`select 1 as one`
  const answered = asked.then(([row]) => row?.['one'])
  store.primary.suspect()
  await sleep(SILENCE)
  expect(store.primary.away).toBe(true)
  const later = store.primary.ready().then(() => 'there')
  door.freeze(false)

  expect(await Promise.all([answered, later])).toEqual([1, 'there'])
  expect(store.primary.away).toBe(false)
  expect(warnings).toEqual([])
})
