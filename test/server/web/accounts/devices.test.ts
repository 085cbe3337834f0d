/** The cookie that identifies a device from which a user has signed in before. */
import { expect, test } from 'vitest'
import { createDevices } from '../../../../server/web/accounts/devices.ts'

const devices = createDevices('the secret of these tests')

test('knows the accounts that have signed in with it, the last five', () => {
  let cookie: string | null = null
  for (let n = 0; n < 7; n++) cookie = devices.remember(cookie, `${n}@example.com`)
  const known = Array.from({ length: 8 }, (_, n) => devices.findKnownDevice(cookie, `${n}@example.com`) !== null)
  expect(known).toEqual([false, false, true, true, true, true, true, false])
  expect(new Set([2, 3, 4].map((n) => devices.findKnownDevice(cookie, `${n}@example.com`))).size).toBe(1)
})

test('is the same device after signing in again, and says nothing of the account', () => {
  const first = devices.remember(null, 'Ann@Example.com ')
  expect(devices.remember(first, 'ann@example.com')).toBe(first)
  expect(first).toMatch(/^[\w-]{22}\.[\w-]{22}$/)
  expect(devices.remember(null, 'ann@example.com')).not.toBe(first)
})

test.each([
  '',
  '.',
  'x',
  `${'a'.repeat(22)}`,
  `${'a'.repeat(22)}.${'b'.repeat(22)}`,
  `${'a'.repeat(22)}.`,
  'ä'.repeat(45),
])('%j is nobody’s', (cookie) => expect(devices.findKnownDevice(cookie, 'ann@example.com')).toBe(null))

test('a signature of another device is not taken over', () => {
  const ann = devices.remember(null, 'ann@example.com')
  const mine = devices.remember(null, 'me@example.com')
  expect(devices.findKnownDevice(`${mine.split('.')[0]}.${ann.split('.')[1]}`, 'ann@example.com')).toBe(null)
  expect(devices.findKnownDevice(ann.toUpperCase(), 'ann@example.com')).toBe(null)
})
