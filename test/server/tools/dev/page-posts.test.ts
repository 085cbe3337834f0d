/** Requests of open pages that open files and apply fixes: what they refuse, and what they write. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createFixEndpoint } from '../../../../server/tools/dev/apply-fix.ts'
import { editorsAmong } from '../../../../server/tools/dev/editor.ts'
import { createFileOpener } from '../../../../server/tools/dev/open-file.ts'
import { PAGE_PURPOSE } from '../../../../server/tools/dev/page-posts.ts'
import { createSourcePage } from '../../../../server/tools/dev/source-page.ts'
import { createDevTokens } from '../../../../server/tools/dev/tokens.ts'
import { createRequest } from '../../../../server/web/http/message.ts'
import type { ShownFix } from '../../../../server/web/site/shown-error.ts'

const root = mkdtempSync(join(tmpdir(), 'ingot-posts-'))
const tokens = createDevTokens()

const write = (file: string, text: string): string => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
  return text
}
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

let number = 0
/** Returns a fix that replaces a word of each file, as the compiler reports it. */
function fixOf(texts: Readonly<Record<string, string>>, from: string, to: string): ShownFix {
  const edits = Object.entries(texts).map(([file, text]) => {
    const start = text.indexOf(from)
    return { file, start, end: start + from.length, text: to }
  })
  const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')
  const digests = Object.fromEntries(Object.entries(texts).map(([file, text]) => [file, digestOf(text)]))
  return { id: String(++number).padStart(64, '0'), title: `Write \`${to}\``, edits, digests }
}

type More = { readonly ip?: string; readonly host?: string; readonly method?: string }
const request = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}, more: More = {}) =>
  createRequest({
    method: 'POST',
    url: path,
    protocol: 'http',
    host: 'localhost:3000',
    ip: '127.0.0.1',
    body: Buffer.from(JSON.stringify(body)),
    id: '1',
    headers: { 'sec-fetch-site': 'same-origin', 'x-ingot-token': tokens.issue(PAGE_PURPOSE), ...headers },
    ...more,
  })

async function apply(
  fix: ShownFix,
  headers: Readonly<Record<string, string>> = {},
  more: More = {},
  body: unknown = { fix: fix.id },
): Promise<[status: number, body: unknown]> {
  const endpoint = createFixEndpoint(root, tokens, (id) => (id === fix.id ? fix : undefined))
  const reply = await endpoint.answer(request('/_ingot/fix', body, headers, more))
  return [reply?.status ?? 0, JSON.parse(String(reply?.body))]
}

test('a fix is applied to all of its files, with their byte order marks, line ends and permissions', async () => {
  const one = write('app/views/pages/one.liquid', "{{ 'a' | upcas }}\r\nnext\r\n")
  write('modules/m/public/views/partials/two.liquid', '\ufeffupcas')
  const fix = fixOf(
    { 'app/views/pages/one.liquid': one, 'modules/m/public/views/partials/two.liquid': 'upcas' },
    'upcas',
    'up\ncase',
  )
  expect(await apply(fix)).toEqual([
    200,
    { fixed: ['app/views/pages/one.liquid', 'modules/m/public/views/partials/two.liquid'] },
  ])
  expect(read('app/views/pages/one.liquid')).toBe("{{ 'a' | up\r\ncase }}\r\nnext\r\n")
  expect(read('modules/m/public/views/partials/two.liquid')).toBe('\ufeffup\ncase')
  expect(readdirSync(join(root, 'app/views/pages'))).toEqual(['one.liquid'])
  expect(statSync(join(root, 'app/views/pages/one.liquid')).mode & 0o777).toBe(0o644)
})

test('nothing is written when a file has changed, is gone, is outside, or the fix is unknown', async () => {
  const text = write('app/a.liquid', 'one upcas')
  const other = write('app/b.liquid', 'two upcas')
  const fix = fixOf({ 'app/a.liquid': text, 'app/b.liquid': other }, 'upcas', 'upcase')
  write('app/b.liquid', 'two upcas, edited')
  expect(await apply(fix)).toEqual([
    409,
    { error: "'app/b.liquid' has changed since it was checked, so it was not edited." },
  ])
  expect(read('app/a.liquid')).toBe(text)
  expect((await apply(fixOf({ 'app/none.liquid': 'upcas' }, 'upcas', 'x')))[0]).toBe(404)
  const outside = join(mkdtempSync(join(tmpdir(), 'ingot-outside-')), 'secret')
  writeFileSync(outside, 'upcas')
  symlinkSync(outside, join(root, 'app/link.liquid'))
  for (const file of ['app/link.liquid', outside, 'app/../../x', 'package.json', 'app'])
    expect((await apply(fixOf({ [file]: 'upcas' }, 'upcas', 'x')))[0], file).toBe(404)
  expect(readFileSync(outside, 'utf8')).toBe('upcas')
  const single = fixOf({ 'app/a.liquid': text }, 'upcas', 'upcase')
  expect((await apply(single, {}, {}, { fix: '0'.repeat(64) }))[0]).toBe(409)
  for (const body of [{}, { fix: 1 }, { fix: '../x' }, [], null, { fix: single.id.slice(1) }])
    expect((await apply(single, {}, {}, body))[0]).toBe(400)
  expect(read('app/a.liquid')).toBe(text)
})

test('only a page of this site on this machine with its token applies fixes', async () => {
  const text = write('app/c.liquid', 'upcas')
  const fix = fixOf({ 'app/c.liquid': text }, 'upcas', 'upcase')
  expect((await apply(fix, { 'x-ingot-token': '' }))[0]).toBe(401)
  expect((await apply(fix, { 'x-ingot-token': tokens.issue('graphql') }))[0]).toBe(401)
  expect((await apply(fix, { 'sec-fetch-site': 'cross-site' }))[0]).toBe(403)
  expect((await apply(fix, { 'sec-fetch-site': 'none', origin: 'http://evil.example' }))[0]).toBe(403)
  expect((await apply(fix, {}, { ip: '10.0.0.7' }))[0]).toBe(403)
  expect((await apply(fix, {}, { host: 'evil.example' }))[0]).toBe(403)
  expect((await apply(fix, {}, { method: 'GET' }))[0]).toBe(404)
  expect(read('app/c.liquid')).toBe(text)
  expect((await apply(fix))[0]).toBe(200)
})

test('of two fixes for the same text, the second one is refused', async () => {
  const text = write('app/d.liquid', 'upcas downcas')
  const fixes = [
    fixOf({ 'app/d.liquid': text }, 'upcas', 'upcase'),
    fixOf({ 'app/d.liquid': text }, 'downcas', 'downcase'),
  ]
  const endpoint = createFixEndpoint(root, tokens, (id) => fixes.find((fix) => fix.id === id))
  const replies = await Promise.all(fixes.map(({ id }) => endpoint.answer(request('/_ingot/fix', { fix: id }))))
  expect(replies.map((reply) => reply?.status)).toEqual([200, 409])
  expect(read('app/d.liquid')).toBe('upcase downcas')
})

type Asked = { readonly file: string; readonly line?: string; readonly rest?: string }
const showSource = async ({ file, line = '1', rest = '' }: Asked, more: More = {}): Promise<[number, string]> => {
  const url = `/_ingot/source?file=${encodeURIComponent(file)}&line=${line}${rest}`
  const own = createRequest({ ...request(url, {}), method: 'GET', url, body: null, ...more })
  const reply = await createSourcePage(root).answer(own)
  return [reply?.status ?? 0, String(reply?.body)]
}

test('a source is shown as text, with its line marked and the lines around it first', async () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`)
  write('app/long.liquid', `${lines.with(19, '<script>alert(1)</script>').join('\r\n')}\r\n`)
  const [status, page] = await showSource({ file: 'app/long.liquid', line: '20' })
  expect(status).toBe(200)
  expect(page).not.toContain('<script>')
  const [around = '', whole = ''] = page.split('<h2>Whole file</h2>')
  for (const part of [around, whole]) expect(part).toContain('<mark>20 | &#60;script&#62;alert(1)')
  expect([around.includes('12 | line 12\n'), around.includes('11 | line 11'), around.includes('29 |')]).toEqual([
    true,
    false,
    false,
  ])
  expect([whole.includes(' 1 | line 1\n'), whole.includes('40 | line 40'), whole.includes('41 |')]).toEqual([
    true,
    true,
    false,
  ])
  for (const line of ['0', '-1', 'x', '1e99', ''])
    expect((await showSource({ file: 'app/long.liquid', line }))[1]).toContain('<mark> 1 | line 1</mark>')
  expect((await showSource({ file: 'app/long.liquid', line: '4000' }))[1]).toContain('<mark>40 | line 40</mark>')
})

test('only files of the site are shown, only as texts, and only to this machine', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'ingot-outside-'))
  writeFileSync(join(outside, 'secret'), 'secret')
  symlinkSync(join(outside, 'secret'), join(root, 'app/linked.liquid'))
  symlinkSync(outside, join(root, 'app/linked'))
  write('package.json', 'secret')
  write('.env', 'secret')
  const paths = ['app/linked.liquid', 'app/linked/secret', join(outside, 'secret'), 'package.json', '.env', 'app', '/']
  for (const file of [
    ...paths,
    'app/../package.json',
    'app/..\\package.json',
    'app/a.liquid\0',
    'file:///etc/passwd',
  ]) {
    const [status, page] = await showSource({ file })
    expect([status, page.includes('secret</')], file).toEqual([404, false])
  }
  for (const file of ['', 'x'.repeat(1_001)]) expect((await showSource({ file }))[0]).toBe(400)
  const fine = { file: write('app/fine.liquid', 'app/fine.liquid') }
  expect((await showSource({ ...fine, rest: '&file=package.json' }))[0]).toBe(404)
  write('app/picture.png', 'a\0b')
  expect((await showSource({ file: 'app/picture.png' }))[0]).toBe(415)
  write('app/huge.json', 'x'.repeat(2_000_001))
  expect((await showSource({ file: 'app/huge.json' }))[0]).toBe(413)
  expect((await showSource(fine))[0]).toBe(200)
  expect((await showSource(fine, { ip: '10.0.0.7' }))[0]).toBe(403)
  expect((await showSource(fine, { host: 'evil.example' }))[0]).toBe(403)
  expect((await showSource(fine, { method: 'POST' }))[0]).toBe(404)
})

test('without an editor, the answer says what to set', async () => {
  write('app/e.liquid', '')
  const ask = async (command: string | null): Promise<[number | undefined, string]> => {
    const opener = createFileOpener(root, tokens, { command, usual: [undefined, 'vim', 'no-editor-at-all'] })
    const reply = await opener.answer(request('/_ingot/open', { file: 'app/e.liquid' }))
    return [reply?.status, String(reply?.body)]
  }
  expect(await ask(null)).toEqual([
    409,
    expect.stringContaining('Set INGOT_EDITOR to the command of your editor, such as INGOT_EDITOR=code'),
  ])
  expect(await ask('/none/editor --wait')).toEqual([
    409,
    expect.stringContaining("INGOT_EDITOR is '/none/editor --wait', which does not start"),
  ])
  expect(await ask('false')).toEqual([409, expect.stringContaining('does not start')])
})

test.each([
  ['/Applications/Visual Studio Code.app/Contents/MacOS/Electron', 'code'],
  ['/Applications/Zed.app/Contents/MacOS/zed', 'zed'],
  ['/Applications/Sublime Text.app/Contents/MacOS/sublime_text', 'subl'],
  ['/usr/share/code-insiders/code-insiders', 'code-insiders'],
  ['"Code.exe","1234","Console","1","100,000 K"', 'code'],
  ['sublime_text', 'subl'],
  ['webstorm', 'webstorm'],
])('the running program %s is the editor %s', (line, command) =>
  expect(editorsAmong(['node', line])).toEqual([command]),
)

test('other programs are not editors', () => {
  expect(editorsAmong(['node', 'bash', 'codec', '/usr/bin/encode', 'ideas', 'vim', ''])).toEqual([])
})
