/** A database on this machine that does not answer for a while, as on a machine that has more to do than it can. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../server/store/store.ts'
import { testDatabase } from '../../database.ts'
import { openDoor } from '../graphql/door.ts'

/** Milliseconds of silence; a database that is silent for as long in a network is taken for away. */
const SILENCE = 4_000

test('what a silent database of this machine is asked waits, and nothing is refused', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.close())
  const folder = mkdtempSync(join(tmpdir(), 'ingot-busy-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const door = await openDoor(database.url, folder)
  onTestFinished(() => door.close())
  const { user, database: name, port } = door.address
  const warnings: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) })
  const url = `postgres://${user}@/${name}?host=${encodeURIComponent(folder)}&port=${port}`
  const store = await openStore({ url, replicaUrl: null, replicaLag: 0, pool: 2, logger })
  onTestFinished(() => store.close())
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
