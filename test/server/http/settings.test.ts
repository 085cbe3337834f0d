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

test('sign-ups are limited in production, and where somebody says so', () => {
  const signUps = (variables: Record<string, string>, environment: 'production' | 'staging' | 'development') =>
    readSettings(variables, environment).signUps
  expect([signUps({}, 'production'), signUps({}, 'staging'), signUps({}, 'development')]).toEqual([20, 0, 0])
  expect([signUps({ INGOT_SIGN_UPS: '0' }, 'production'), signUps({ INGOT_SIGN_UPS: '7' }, 'staging')]).toEqual([0, 7])
  expect(() => readSettings({ INGOT_SIGN_UPS: '-1' }, 'production')).toThrow(/INGOT_SIGN_UPS cannot be '-1'/)
})

test.each(['https://shop.example', 'shop.example:80', 'a,,b', 'shop.*'])('%s is no list of names', (text) => {
  expect(() => readSettings({ INGOT_HOSTS: text }, 'production')).toThrow(/INGOT_HOSTS cannot be .*shop\.example/)
})
