/** Where requests may ask to be sent on to. */
import { describe, expect, test } from 'vitest'
import { writtenTarget } from '../../../server/forms/target.ts'
import { redirect } from '../../../server/http/message.ts'
import { ownTarget } from '../../../server/http/own-target.ts'

describe('a target that a request names', () => {
  test.each([
    ['/items/5', '/items/5'],
    ['/items/5?page=2#top', '/items/5?page=2#top'],
    ['items', '/items'],
    ['?a=1', '/?a=1'],
    [' /a ', '/a'],
    ['http://site.test:3000/a?b', '/a?b'],
    ['https://site.test:3000/a', '/a'],
    ['/żółw', '/%C5%BC%C3%B3%C5%82w'],
    ['/a//b', '/a//b'],
    ['/a?to=//evil.test', '/a?to=//evil.test'],
  ])('%s stays here', (asked, target) => expect(ownTarget(asked, 'site.test:3000')).toBe(target))

  test.each([
    '//evil.test',
    '///evil.test',
    '////evil.test/a',
    '/\\evil.test',
    '\\\\evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    'http://evil.test/',
    'https:evil.test',
    'http://site.test:3000@evil.test/',
    'http://user:pw@site.test:3000/',
    'http://site.test/',
    'http://site.test:3000.evil.test/',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'ftp://site.test:3000/',
    '/a\r\nset-cookie: x=1',
    '/a\0',
    '/\u202e/evil',
    '/.//evil.test',
    '/..//evil.test',
    '',
    '   ',
    `/${'a'.repeat(5000)}`,
  ])('%j leads away', (asked) => expect(ownTarget(asked, 'site.test:3000')).toBe(null))

  test.each([[['/a']], [{ a: '/a' }], [5], [null], [undefined]])('%j is none', (asked) =>
    expect(ownTarget(asked, 'site.test:3000')).toBe(null),
  )
})

test('a target that the form names goes where its author says', () => {
  expect(writtenTarget(' https://other.test/a ')).toBe('https://other.test/a')
  expect(writtenTarget('/a\r\nset-cookie: x')).toBe('/aset-cookie: x')
  expect(writtenTarget('javascript:alert(1)')).toBe(null)
  expect(writtenTarget(' \n ')).toBe(null)
})

describe('a target that the site names', () => {
  test.each([
    ['admin/orders', '/admin/orders'],
    ['orders?page=2#top', '/orders?page=2#top'],
    ['żółw', '/%C5%BC%C3%B3%C5%82w'],
    ['/orders', '/orders'],
    ['?page=2', '?page=2'],
    ['#top', '#top'],
    ['../orders', '../orders'],
    ['//cdn.test/a', '//cdn.test/a'],
    ['https://pay.test/a', 'https://pay.test/a'],
    ['mailto:ann@site.test', 'mailto:ann@site.test'],
  ])('%s leads to %s', (named, location) => {
    expect(redirect(302, named).headers['location']).toBe(location)
    expect(redirect(302, writtenTarget(named)!).headers['location']).toBe(location)
  })

  test('is told to scripts as browsers are sent to it', () => {
    expect(writtenTarget(' admin/orders ')).toBe('/admin/orders')
  })
})
