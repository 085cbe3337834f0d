/** What a worker says last: all of it is heard before anybody is told that nothing more comes. */
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { hearLast } from '../../../server/cluster/last-words.ts'
import type { ToSupervisor } from '../../../server/cluster/messages.ts'

const BEAT: ToSupervisor = { type: 'beat' }

function heardFrom(pipe: PassThrough): { readonly heard: ToSupervisor[]; readonly all: Promise<number> } {
  const heard: ToSupervisor[] = []
  const over = hearLast([null, null, null, null, pipe], (message) => void heard.push(message))
  return { heard, all: over.then(() => heard.length) }
}

it('comes line by line, and lines that are none are left out', async () => {
  const pipe = new PassThrough()
  const { heard, all } = heardFrom(pipe)
  pipe.write(`${JSON.stringify(BEAT)}\n{"type":`)
  pipe.write(`"beat"}\nno JSON\n${JSON.stringify({ type: 'unknown' })}\n`)
  pipe.end(JSON.stringify(BEAT))
  expect(await all).toBe(3)
  expect(heard).toEqual([BEAT, BEAT, BEAT])
})

it('is over where a worker is killed in the middle of it, too', async () => {
  const pipe = new PassThrough()
  const { all } = heardFrom(pipe)
  pipe.write(`${JSON.stringify(BEAT)}\n{"type"`)
  pipe.destroy(new Error('broken off'))
  expect(await all).toBeLessThanOrEqual(1)
})

it('is nothing where there is no pipe', async () => {
  await expect(hearLast([null, null, null, null, null], () => undefined)).resolves.toBeUndefined()
})
