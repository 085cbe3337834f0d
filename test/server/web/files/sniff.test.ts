/** File types are detected from the first bytes, and determine the allowed names. */
import { describe, expect, test } from 'vitest'
import { contentDisposition } from '../../../../server/web/files/disposition.ts'
import { safeName } from '../../../../server/web/files/names.ts'
import { readUploadPath, versionPath } from '../../../../runtime/data/values/upload-path.ts'
import { acceptsType, detectType } from '../../../../server/web/files/detect-type.ts'

const typeOf = (content: string | Uint8Array, extension = ''): string =>
  detectType(typeof content === 'string' ? Buffer.from(content, 'utf8') : content, extension).type
const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1')

describe('types', () => {
  test.each([
    [latin('\x89PNG\r\n\x1a\n....'), '', 'image/png'],
    [latin('\xff\xd8\xff\xe0'), 'png', 'image/jpeg'],
    [latin('GIF89a;'), '', 'image/gif'],
    [latin('RIFF\x10\0\0\0WEBPVP8 '), '', 'image/webp'],
    [latin('RIFF\x10\0\0\0WAVEfmt '), '', 'audio/wav'],
    [latin('\0\0\0\x1cftypavif\0\0\0\0'), '', 'image/avif'],
    [latin('\0\0\0\x1cftypisom\0\0\0\0'), '', 'video/mp4'],
    [latin('%PDF-1.7\n%\xe2\xe3'), '', 'application/pdf'],
    [latin('PK\x03\x04...'), 'docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    [latin('PK\x03\x04...'), 'png', 'application/zip'],
    [latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'doc', 'application/msword'],
    [latin('MZ\x90\0\x03\0'), 'png', 'application/x-msdownload'],
    ['MZ is a postcode', 'txt', 'text/plain'],
    [latin('\0\x01\x02\x03'), 'txt', 'application/octet-stream'],
    ['a;b\n1;2\n', 'csv', 'text/csv'],
    ['żółw', '', 'text/plain'],
    [Buffer.from('\ufeffżółw', 'utf16le'), 'txt', 'text/plain'],
    ['{"a":1}', 'json', 'application/json'],
    ['alert(1)', 'js', 'text/plain'],
  ])('%j as .%s', (content, extension, type) => {
    expect(typeOf(content, extension)).toBe(type)
  })

  test.each([
    '<!DOCTYPE html><p>',
    '\ufeff \n\t<HTML>',
    '<script>alert(1)</script>',
    '<!-- a --> <!-- b --><img src=x onerror=alert(1)>',
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script/></html>',
    '<a',
    '</p><script>',
  ])('%j is HTML, whatever it is called', (content) => {
    for (const extension of ['', 'png', 'txt', 'csv']) expect(typeOf(content, extension)).toBe('text/html')
  })

  test('HTML in two bytes a letter is HTML', () => {
    expect(typeOf(Buffer.from('\ufeff<html>', 'utf16le'), 'txt')).toBe('text/html')
  })

  test.each([
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    '<?xml version="1.0"?>\n<!-- made by hand -->\n<!DOCTYPE svg>\n<svg onload="x()">',
    '<!DOCTYPE svg PUBLIC "x"><svg/>',
  ])('%j is SVG', (content) => {
    expect(typeOf(content, 'png')).toBe('image/svg+xml')
  })

  test('a character cut in two at the end is still text', () => {
    expect(typeOf(Buffer.from('żółw').subarray(0, 5))).toBe('text/plain')
  })

  test('lists of types', () => {
    expect(acceptsType(null, 'text/html')).toBe(true)
    expect(acceptsType(['image/*'], 'image/png')).toBe(true)
    expect(acceptsType(['image/*'], 'imagex/png')).toBe(false)
    expect(acceptsType(['image/jpg', 'application/pdf'], 'image/jpeg')).toBe(true)
    expect(acceptsType([], 'image/png')).toBe(false)
  })
})

describe('names', () => {
  test.each([
    ['photo.JPG', 'photo.jpg'],
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\windows\\system32\\cmd.exe', 'cmd.exe'],
    ['.htaccess', 'htaccess'],
    ['...', 'file'],
    ['', 'file'],
    ['a\0b.png', 'ab.png'],
    ['a\r\nSet-Cookie: x=1.png', 'aSet-Cookie-x=1.png'],
    ['zażółć gęślą.txt', 'zażółć-gęślą.txt'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['con.txt', '_con.txt'],
    ['NUL', '_NUL'],
    ['a"b;c%2e.png', 'a-b-c-2e.png'],
    ['\ud800x.png', 'x.png'],
    ['shell.php.png', 'shell.php.png'],
    ['trailing. . .', 'trailing'],
    ['🐢.png', '🐢.png'],
  ])('%j becomes %j', (given, name) => {
    expect(safeName(given).name).toBe(name)
  })

  test('long names keep their extension and whole characters', () => {
    const { name, extension } = safeName(`${'🐢'.repeat(500)}.jpeg`)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(120)
    expect(extension).toBe('jpeg')
    expect(name).toMatch(/^(?:🐢)+\.jpeg$/u)
  })

  test('every name that is made is one that can be served', () => {
    const key = '0123456789abcdef0123456789abcdef'
    for (const hostile of [
      '../x',
      '.',
      '..',
      '/',
      'a/b',
      '\0',
      '-',
      '_',
      ' ',
      '%2e%2e%2f',
      'x'.repeat(5000),
      '👩‍👩‍👧.png',
    ]) {
      expect(readUploadPath(`uploads/2026/11/${key}/${safeName(hostile).name}`)?.key).toBe(key)
    }
  })

  test.each([
    'uploads/2026/11/0123456789abcdef0123456789abcdef/../x',
    'uploads/2026/11/0123456789abcdef0123456789abcdef/..',
    'uploads/2026/11/0123456789abcdef0123456789abcdef/a/b/c',
    'uploads/2026/11/0123456789abcdef0123456789abcdef/.x',
    'uploads/2026/11/0123456789abcdef0123456789abcdef/a\0',
    'uploads/2026/11/0123456789abcdef0123456789abcdef/a\\b',
    'uploads/private/private/2026/11/0123456789abcdef0123456789abcdef/a',
    'uploads/2026/11/short/a',
    'secret',
  ])('%j is no path', (path) => {
    expect(readUploadPath(path)).toBeNull()
  })

  test('versions stand beside their original', () => {
    const path = 'uploads/2026/11/0123456789abcdef0123456789abcdef/a.b.jpg'
    expect(versionPath(path, 'thumb', 'webp')).toBe('uploads/2026/11/0123456789abcdef0123456789abcdef/thumb/a.b.webp')
    expect(readUploadPath(versionPath(path, 'thumb', null))?.name).toBe('a.b.jpg')
  })

  test('what is not an image of pixels is never shown in place', () => {
    expect(contentDisposition('a/b.png', 'image/png')).toBe('inline; filename="b.png"')
    for (const type of ['text/html', 'image/svg+xml', 'application/pdf', 'text/plain', 'application/xml'])
      expect(contentDisposition('a/b.png', type)).toMatch(/^attachment;/)
    expect(contentDisposition("a/żół'w.txt", 'text/plain')).toBe(
      `attachment; filename="_w.txt"; filename*=UTF-8''%C5%BC%C3%B3%C5%82%27w.txt`,
    )
  })
})
