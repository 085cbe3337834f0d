/** The redirect targets that requests may ask for. */
import { describe, expect, test } from 'vitest'
import { redirect } from '../../../../server/web/http/message.ts'
import { ownTarget } from '../../../../server/web/http/own-target.ts'
import { siteTarget } from '../../../../server/web/http/site-target.ts'

const FROM = { protocol: 'http', host: 'site.test:3000', url: '/a?b=c', referer: '', hosts: [], sent: [] }

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

describe('a target that the site names', () => {
  test.each([
    ['admin/orders', '/admin/orders'],
    ['orders?page=2#top', '/orders?page=2#top'],
    ['żółw', '/%C5%BC%C3%B3%C5%82w'],
    ['/orders', '/orders'],
    ['?page=2', '?page=2'],
    ['#top', '#top'],
    ['../orders', '../orders'],
    ['https://pay.test/a', 'https://pay.test/a'],
    ['mailto:ann@site.test', 'mailto:ann@site.test'],
  ])('%s leads to %s', (named, location) => {
    expect(redirect(302, named).headers['location']).toBe(location)
    expect(redirect(302, siteTarget(named, FROM)!).headers['location']).toBe(location)
  })

  test('is told to scripts as browsers are sent to it', () => {
    expect(siteTarget(' admin/orders ', FROM)).toBe('/admin/orders')
  })
})
