/** Capacity that clients share: how much one client may hold, and which client gives way when it is full. */
import { describe, expect, test } from 'vitest'
import { SharedCapacity } from '../../../../server/web/http/shared-capacity.ts'

function holds(room: SharedCapacity, from: string, ...amounts: number[]) {
  return amounts.map((amount) => {
    let gaveWay = false
    const hold = room.reserve(from, () => {
      gaveWay = true
    })
    return { hold, taken: hold.grow(amount), gaveWay: () => gaveWay }
  })
}

const given = (all: ReturnType<typeof holds>) => all.map(({ gaveWay }) => gaveWay())

describe('a client', () => {
  test('gets half of the room, however many addresses of its network it uses', () => {
    const room = new SharedCapacity(100)
    const first = holds(room, '2001:db8::1', 30)
    const second = holds(room, '2001:db8::2:3', 20, 1)
    expect([...first, ...second].map(({ taken }) => taken)).toEqual([true, true, false])
    expect(holds(room, '2001:db8:0:1::1', 50)[0]?.taken).toBe(true)
    first[0]?.hold.release()
    first[0]?.hold.release()
    expect(holds(room, '2001:db8::4', 30, 1).map(({ taken }) => taken)).toEqual([true, false])
  })

  test('that holds most gives way, the youngest first, and no more than is needed', () => {
    const room = new SharedCapacity(100)
    const a = holds(room, '10.0.0.1', 20, 10, 15)
    const b = holds(room, '10.0.0.2', 30, 10)
    const c = holds(room, '10.0.0.3', 15, 5)
    expect(c.map(({ taken }) => taken)).toEqual([true, true])
    expect([given(a), given(b), given(c)]).toEqual([
      [false, false, true],
      [false, false],
      [false, false],
    ])
    expect(a[2]?.hold.grow(1)).toBe(false)
    const d = holds(room, '10.0.0.4', 15)
    expect(d[0]?.taken).toBe(true)
    expect(given(b)).toEqual([false, true])
  })

  test('that holds least is refused nothing, and one that holds as much as any other is refused', () => {
    const room = new SharedCapacity(100)
    holds(room, '10.0.0.1', 50)
    const b = holds(room, '10.0.0.2', 50)
    expect(holds(room, '10.0.0.3', 50)[0]?.taken).toBe(false)
    expect(given(b)).toEqual([false])
    expect(holds(room, '10.0.0.3', 49)[0]?.taken).toBe(true)
  })
})

test('a settled hold keeps its room', () => {
  const room = new SharedCapacity(100)
  const settled = ['10.0.0.1', '10.0.0.2'].flatMap((from) => holds(room, from, 40))
  for (const { hold } of settled) hold.makePermanent()
  const [open] = holds(room, '10.0.0.1', 10)
  expect(holds(room, '10.0.0.3', 15, 6).map(({ taken }) => taken)).toEqual([true, false])
  expect([given(settled), open?.gaveWay()]).toEqual([[false, false], true])
})
