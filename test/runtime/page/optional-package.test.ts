/** Errors for packages that are not installed. */
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { MissingPackage, loadPackage } from '../../../runtime/page/optional-package.ts'

test('a package that is there is given', async () => {
  expect(await loadPackage('a', 'A thing', async () => 1)).toBe(1)
})

test('a package that is not installed is named, with the feature that needs it', async () => {
  const name = './no-such-package.mjs'
  const loading = loadPackage('lamp', 'Light', () => import(/* @vite-ignore */ name))
  await expect(loading).rejects.toThrow(MissingPackage)
  await expect(loading).rejects.toThrow(
    "Light needs the package 'lamp', which is not installed for this machine: `npm install lamp`.",
  )
})

test('so is one whose part for this machine is not installed', async () => {
  const require = createRequire(import.meta.url)
  const loading = loadPackage('lamp', 'Light', async () => {
    try {
      return require('./no-such-part.node')
    } catch (cause) {
      throw new Error('no native binding', { cause })
    }
  })
  await expect(loading).rejects.toThrow(MissingPackage)
})

test('other errors of a package are unchanged', async () => {
  const fault = new Error('broken')
  await expect(loadPackage('lamp', 'Light', () => Promise.reject(fault))).rejects.toBe(fault)
})
