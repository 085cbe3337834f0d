/** Tests when a task group fetches its next job: with a free slot, and one job ahead while jobs are very short. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createGate, type Gate } from '../../../../server/operate/jobs/runner/gate.ts'

/** Returns whether a fetch is allowed now. If so, uses the permit. */
async function lets(gate: Gate): Promise<boolean> {
  let through = false
  void gate.fetch().then(() => {
    through = true
  })
  await sleep(1)
  return through
}

it('fetches as many as there are slots, and the next one when a slot is free', async () => {
  const gate = createGate(2)
  expect([await lets(gate), await lets(gate), await lets(gate)]).toEqual([true, true, false])
  // The third fetch was allowed after the first one had found no job.
  gate.empty()
  await sleep(1)
  gate.empty()
  expect(await lets(gate)).toBe(true)
})

it('fetches one ahead for each slot while jobs are short, and none while one takes its time', async () => {
  const gate = createGate(1)
  await gate.fetch()
  await gate.run(async () => undefined)
  expect([await lets(gate), await lets(gate), await lets(gate)]).toEqual([true, true, false])
  let end: () => void = () => undefined
  const long = gate.run(() => new Promise<void>((done) => (end = done)))
  await sleep(60)
  // The job that was fetched ahead waits for a moment, but not until the other job ends, and has not started.
  expect(await gate.run(async () => 'begun')).toBeNull()
  // No job is fetched while another one takes long.
  expect(await lets(gate)).toBe(false)
  end()
  await long
})

it('never runs more at once than there are slots, and loses none', async () => {
  const gate = createGate(2)
  let running = 0
  let most = 0
  let done = 0
  let back = 0
  const worker = async (): Promise<void> => {
    for (let n = 0; n < 200; n++) {
      await gate.fetch()
      if (n % 7 === 0) {
        gate.empty()
        continue
      }
      const result = await gate.run(async () => {
        most = Math.max(most, ++running)
        await sleep(n % 50 === 0 ? 70 : 0)
        running--
        return 'done'
      })
      if (result === null) back++
      else done++
    }
  }
  await Promise.all([1, 2, 3, 4].map(worker))
  expect(most).toBe(2)
  expect(running).toBe(0)
  expect(done + back).toBe(4 * (200 - 29))
  expect(done).toBeGreaterThan(4 * 160)
  expect([await lets(gate), await lets(gate)]).toEqual([true, true])
})

it('what fails frees its slot', async () => {
  const gate = createGate(1)
  await gate.fetch()
  await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await lets(gate)).toBe(true)
})

it('adds slots beside jobs that run for long, no more than it may, and takes them away again', async () => {
  const gate = createGate(1, 1)
  const ends: (() => void)[] = []
  const names: string[] = []
  const long = (name: string): Promise<unknown> =>
    gate.run(
      () => new Promise<void>((done) => ends.push(done)),
      () => names.push(name),
    )
  expect(await gate.fetch()).toBe(false)
  const first = long('first')
  // The fetch is allowed as soon as the first job counts as long.
  expect(await gate.fetch()).toBe(true)
  expect(names).toEqual(['first'])
  const second = long('second')
  await expect.poll(() => names, { timeout: 30_000 }).toEqual(['first', 'second'])
  expect(await lets(gate)).toBe(false)
  for (const end of ends) end()
  await Promise.all([first, second])
})
