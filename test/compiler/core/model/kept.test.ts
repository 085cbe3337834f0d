/** What is kept with a site: equal small values are one. */
import { expect, test } from 'vitest'
import { keptList, keptMap, keptSet, keptText, keptWords } from '../../../../compiler/core/model/kept.ts'

test('a text stays what it is, however many are kept', () => {
  for (let n = 0; n < 50_000; n++) expect(keptText(`name_${n}`)).toBe(`name_${n}`)
  expect(keptText('description_of_the_product')).toBe('description_of_the_product')
})

test('empty collections are one', () => {
  expect(keptList([])).toBe(keptList([]))
  expect(keptMap(new Map())).toBe(keptMap(new Map()))
  expect(keptSet(new Set())).toBe(keptSet(new Set()))
  expect(keptWords(new Set<string>())).toBe(keptSet(new Set()))
})

test('a list is copied, so that what is added to it later is not kept', () => {
  const list = [1, 2]
  const kept = keptList(list)
  list.push(3)
  expect(kept).toEqual([1, 2])
})

test('small sets of the same words in the same order are one', () => {
  const known = keptWords(new Set(['a', 'b']))
  expect(keptWords(new Set(['a', 'b']))).toBe(known)
  expect([...keptWords(new Set(['b', 'a']))]).toEqual(['b', 'a'])
  const large = new Set(['a', 'b', 'c', 'd', 'e'])
  expect(keptWords(large)).toBe(large)
  expect(keptWords(new Set(['a b']))).not.toBe(known)
})
