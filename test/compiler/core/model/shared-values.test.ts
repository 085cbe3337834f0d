/** Equal small values are shared. */
import { expect, test } from 'vitest'
import { shareList, shareMap, shareSet, shareText, shareWords } from '../../../../compiler/core/model/shared-values.ts'

test('a text stays what it is, however many are kept', () => {
  for (let n = 0; n < 50_000; n++) expect(shareText(`name_${n}`)).toBe(`name_${n}`)
  expect(shareText('description_of_the_product')).toBe('description_of_the_product')
})

test('empty collections are one', () => {
  expect(shareList([])).toBe(shareList([]))
  expect(shareMap(new Map())).toBe(shareMap(new Map()))
  expect(shareSet(new Set())).toBe(shareSet(new Set()))
  expect(shareWords(new Set<string>())).toBe(shareSet(new Set()))
})

test('a list is copied, so that what is added to it later is not kept', () => {
  const list = [1, 2]
  const kept = shareList(list)
  list.push(3)
  expect(kept).toEqual([1, 2])
})

test('small sets of the same words in the same order are one', () => {
  const known = shareWords(new Set(['a', 'b']))
  expect(shareWords(new Set(['a', 'b']))).toBe(known)
  expect([...shareWords(new Set(['b', 'a']))]).toEqual(['b', 'a'])
  const large = new Set(['a', 'b', 'c', 'd', 'e'])
  expect(shareWords(large)).toBe(large)
  expect(shareWords(new Set(['a b']))).not.toBe(known)
})
