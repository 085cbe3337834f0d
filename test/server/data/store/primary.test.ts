/** The watch of the primary leaves nothing open after it is closed. */
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createProbe } from '../../../../server/data/store/connection.ts'
import { readDatabaseUrl } from '../../../../server/data/store/database-url.ts'
import { watchPrimary } from '../../../../server/data/store/primary.ts'
import { testServer } from '../../../support/database.ts'

const silent = { info: () => undefined, warn: () => undefined }

it('leaves no connection behind that was being opened when it was closed', async () => {
  const address = readDatabaseUrl(await testServer(), 'DATABASE_URL')
  const opened: Promise<Duplex>[] = []
  const primary = watchPrimary(address, silent, (socket) =>
    createProbe(address, async () => {
      const opening = socket()
      opened.push(opening)
      // The client receives the socket after it has ended.
      await sleep(100)
      return opening
    }),
  )
  primary.suspect()
  await primary.close()
  const sockets = await Promise.all(opened)
  expect(sockets.length).toBeGreaterThan(0)
  await sleep(200)
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual(sockets.map(() => true))
})
