/** Settings of what is open to the world. */
import { expect, test } from 'vitest'
import { readSettings } from '../../../server/settings.ts'

test('without them every name is answered to, and nobody is counted', () => {
  expect(readSettings({}, 'production')).toMatchObject({ hosts: [], rate: 0 })
})

test('names stand with commas between them', () => {
  const { hosts, rate } = readSettings({ INGOT_HOSTS: 'shop.example, *.shop.example', INGOT_RATE: '300' }, 'production')
  expect([hosts, rate]).toEqual([['shop.example', '*.shop.example'], 300])
})

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

test.each(['https://shop.example', 'shop.example:80', 'a,,b', 'shop.*'])('%s is no list of names', (text) => {
  expect(() => readSettings({ INGOT_HOSTS: text }, 'production')).toThrow(/INGOT_HOSTS cannot be .*shop\.example/)
})
