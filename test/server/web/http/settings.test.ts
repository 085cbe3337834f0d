/** Settings of everything that clients can reach. */
import { expect, test } from 'vitest'
import { readSettings } from '../../../../server/core/settings.ts'

test('without them every name is answered to, no proxy is known, and addresses are counted in production', () => {
  expect(readSettings({}, 'production')).toMatchObject({ hosts: [], proxies: null, rate: 3_000 })
  for (const environment of ['staging', 'development'] as const)
    expect(readSettings({}, environment).rate, environment).toBe(0)
  expect(readSettings({ INGOT_ENV: 'staging' }, 'production').rate).toBe(0)
})

test.each(['off', '0'])('INGOT_RATE=%s counts nobody', (text) => {
  expect(readSettings({ INGOT_RATE: text }, 'production').rate).toBe(0)
})

test.each(['on', '-1', '3.5', 'OFF '])('%s is no rate', (text) => {
  expect(() => readSettings({ INGOT_RATE: text }, 'production')).toThrow(/INGOT_RATE cannot be .*: give .* or off/)
})

test('a number of proxies, and that there are none, is told apart from nothing', () => {
  expect(readSettings({ INGOT_PROXIES: '0' }, 'production').proxies).toBe(0)
  expect(readSettings({ INGOT_PROXIES: '2' }, 'production').proxies).toBe(2)
})

test('names stand with commas between them', () => {
  const { hosts, rate } = readSettings({ INGOT_HOSTS: 'shop.example, *.shop.example', INGOT_RATE: '300' }, 'production')
  expect([hosts, rate]).toEqual([['shop.example', '*.shop.example'], 300])
  const more = 'shop.example:8443, *.shop.example:443,[2001:db8::1]:80'
  expect(readSettings({ INGOT_HOSTS: more }, 'production').hosts).toEqual(more.split(/, ?/))
})

test.each(['https://shop.example', 'shop.example:', 'shop.example:port', 'a,,b', 'shop.*', '[x]', '::1'])(
  '%s is no list of names',
  (text) => {
    expect(() => readSettings({ INGOT_HOSTS: text }, 'production')).toThrow(/INGOT_HOSTS cannot be .*shop\.example/)
  },
)

test('sign-ups and new sessions are limited in production, and where somebody says so', () => {
  const limits = (variables: Record<string, string>, environment: 'production' | 'staging' | 'development') => {
    const { signUps, newSessions, passwordsWaiting } = readSettings(variables, environment)
    return [signUps, newSessions, passwordsWaiting]
  }
  expect(limits({}, 'production')).toEqual([20, 300, 100])
  expect([limits({}, 'staging'), limits({}, 'development')]).toEqual([
    [0, 0, 100],
    [0, 0, 100],
  ])
  expect(limits({ INGOT_SIGN_UPS: '0', INGOT_NEW_SESSIONS: '0' }, 'production')).toEqual([0, 0, 100])
  const given = { INGOT_SIGN_UPS: '7', INGOT_NEW_SESSIONS: '8', INGOT_PASSWORDS_WAITING: '9' }
  expect(limits(given, 'staging')).toEqual([7, 8, 9])
  expect(() => readSettings({ INGOT_SIGN_UPS: '-1' }, 'production')).toThrow(/INGOT_SIGN_UPS cannot be '-1'/)
})
