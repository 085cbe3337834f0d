/** The text part of mails, and lists of addresses. */
import { describe, expect, test } from 'vitest'
import { htmlToText } from '../../../../server/web/notifications/html-text.ts'
import { parseAddresses, oneLine } from '../../../../server/web/notifications/addresses.ts'
import { measureCost } from '../../../support/cost.ts'

describe('the text of HTML', () => {
  test.each([
    ['<h1>Hello <b>Ann</b></h1><p>One\n  two&nbsp;&amp; three</p><p>Four</p>', 'Hello Ann\n\nOne two & three\n\nFour'],
    ['a<br>b<br/>c', 'a\nb\nc'],
    ['a<br><br><br><br>b', 'a\n\nb'],
    ['<ul><li>one</li><li>two<ul><li>deep</li></ul></li></ul><p>x</p>', '- one\n- two\n  - deep\n\nx'],
    ['<ol><li>one</li><li> two</li></ol>', '1. one\n2. two'],
    ['<a href="https://a.test/x?y=1&amp;z">Open</a> it', 'Open (https://a.test/x?y=1&z) it'],
    ['<a href="https://a.test/">https://a.test/</a>', 'https://a.test/'],
    ['<a href="https://a.test/">a.test</a>', 'a.test'],
    ['<a href="mailto:x@a.test">x@a.test</a> <a href="#top">up</a>', 'x@a.test up'],
    ['<a href="https://a.test"><img src="x" alt="Logo"></a>', 'Logo (https://a.test)'],
    ['<a href="https://a.test"></a>', 'https://a.test'],
    ['<head><title>T</title><style>a{}</style></head><body>seen<script>no</script></body>', 'seen'],
    ['<style>p{}</style><div>a</div><div>b</div>', 'a\nb'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['<pre>a\n  b</pre>', 'a\n  b'],
    ['a<hr>b', 'a\n\n--------\n\nb'],
    ['<p>&lt;b&gt; &#39;</p>', "<b> '"],
    ['', ''],
    ['   ', ''],
    ['plain text', 'plain text'],
    ['<p>never <b>closed', 'never closed'],
    ['</p></li></ul>stray', 'stray'],
    ['<script>never closed <p>x</p>', ''],
  ])('%j', (html, text) => {
    expect(htmlToText(html)).toBe(text)
  })

  test('of a document that is made to be slow takes no time', () => {
    const cost = measureCost()
    htmlToText('<ul><li>'.repeat(50_000))
    htmlToText('<a href="https://a.test">'.repeat(20_000))
    htmlToText(`<pre>${' \t'.repeat(200_000)}x`)
    htmlToText(`${'<p> '.repeat(100_000)}`)
    htmlToText('<'.repeat(300_000))
    expect(cost()).toBeLessThan(3_000)
  })
})

describe('addresses', () => {
  const ann = { name: '', address: 'ann@example.com' }
  const bob = { name: '', address: 'bob@example.com' }

  test.each([
    [null, []],
    ['', []],
    ['  ', []],
    [[], []],
    ['ann@example.com', [ann]],
    [' ann@example.com , bob@example.com,', [ann, bob]],
    ['ann@example.com, ANN@example.com', [ann]],
    [
      ['ann@example.com', ['bob@example.com', '', null]],
      [ann, bob],
    ],
    ['["ann@example.com", "bob@example.com"]', [ann, bob]],
    ['Ann Oak <ann@example.com>', [{ name: 'Ann Oak', address: 'ann@example.com' }]],
    ['"Oak, Ann" <ann@example.com>', [{ name: 'Oak, Ann', address: 'ann@example.com' }]],
    ['"A\r\nBcc: x@y.zz" <ann@example.com>', [{ name: 'A Bcc: x@y.zz', address: 'ann@example.com' }]],
    ['żółw@example.com', null],
    ['ann@żółw.pl', [{ name: '', address: 'ann@żółw.pl' }]],
    ['ann', null],
    ['@example.com', null],
    ['ann@localhost', null],
    ['ann@example.com\r\nBcc: bob@example.com', null],
    ['"evil@example.com x"@internal.example.com', null],
    ['ann@example.com; DROP', null],
    [{ a: 1 }, null],
    [42, null],
  ])('%j', (value, expected) => {
    const { addresses: found, invalid: wrong } = parseAddresses(value)
    if (expected === null) expect(wrong).not.toBeNull()
    else expect([found, wrong]).toEqual([expected, null])
  })

  test('a list that is too long is none', () => {
    expect(parseAddresses('a@example.com,'.repeat(20_000)).invalid).not.toBeNull()
  })

  test('a text of one line stays on it', () => {
    expect(oneLine(' a\r\nBcc: x\u2028b\0\tc\u0085d ')).toBe('a Bcc: x b c d')
  })
})
