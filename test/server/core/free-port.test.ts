/** A port that is reserved for later use must not be assigned to another program in the meantime. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../../server/core/free-port.ts'

async function listening(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('it does not listen')
  return address.port
}

describe('a free port', () => {
  test('is not given by the system to whoever listens on any port', async () => {
    const chosen = await Promise.all(Array.from({ length: 50 }, () => freePort()))
    const others = await Promise.all(Array.from({ length: 200 }, () => listening(0)))
    try {
      const lowest = Math.min(...others.map(portOf))
      expect(chosen.filter((port) => port >= lowest)).toEqual([])
    } finally {
      for (const other of others) other.close()
    }
  })

  test('can be listened on', async () => {
    const port = await freePort()
    const server = await listening(port)
    expect(portOf(server)).toBe(port)
    server.close()
  })

  test('is not looked for on an address that is not of this machine', async () => {
    await expect(freePort('192.0.2.1')).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
  })
})
