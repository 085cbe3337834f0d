/** The addresses of files, over real HTTP: which files are sent, to whom and with which headers, and which uploads are accepted. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { answerFile } from '../../../../server/web/files/endpoint.ts'
import type { StoredFile, UploadTerms } from '../../../../server/web/files/model.ts'
import { createSigner } from '../../../../server/web/files/signature.ts'
import { listen } from '../../../../server/web/http/listen.ts'
import type { Listening } from '../../../../server/web/http/listening.ts'
import { plainReply } from '../../../../server/web/http/plain-reply.ts'
import { ANY, filesIn, type FilesSetup, ground, picture } from './ground.ts'

let it: FilesSetup
let server: Listening
let url = ''

beforeAll(async () => {
  it = await ground()
  const log = { info: () => undefined, error: (fields: object) => console.error(fields) }
  const uploads = { folder: it.incoming, limit: 1_000_000 }
  const handler = async (request: Parameters<typeof answerFile>[1]) =>
    (await answerFile(it.desk, request)) ?? plainReply(404, 'html')
  server = await listen(handler, { host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 10_000, uploads, log })
  url = `http://127.0.0.1:${server.port}`
})
afterAll(async () => {
  await server.stop(0, 0)
  await it.close()
})

const keep = (name: string, content: Uint8Array | string, acl: 'public' | 'private' = 'public'): Promise<StoredFile> =>
  it.desk.keep(it.sent(name, content), { ...ANY, acl })

describe('showing', () => {
  test('an image is shown in place, in parts too, and kept for ever', async () => {
    const bytes = await picture(20, 20)
    const file = await keep('żółw.png', bytes)
    const reply = await fetch(url + it.desk.url(file, null))
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'content-disposition': expect.stringMatching(
        /^inline; filename=".*"; filename\*=UTF-8''%C5%BC%C3%B3%C5%82w\.png$/,
      ),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
    })
    const some = await fetch(url + it.desk.url(file, null), { headers: { range: 'bytes=1-3' } })
    expect([some.status, await some.text(), some.headers.get('content-range')]).toEqual([
      206,
      'PNG',
      `bytes 1-3/${bytes.length}`,
    ])
    const again = await fetch(url + it.desk.url(file, null), {
      headers: { 'if-none-match': reply.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
    })
    expect(again.status).toBe(304)
    const head = await fetch(url + it.desk.url(file, null), { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(bytes.length),
      '',
    ])
  })

  test.each([
    ['page.txt', '<html><script>alert(1)</script>', 'text/html; charset=utf-8'],
    ['page.html', '<html><script>alert(1)</script>', 'text/html; charset=utf-8'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml'],
    ['feed.xml', '<?xml version="1.0"?><a/>', 'application/xml'],
    ['code.js', 'alert(1)', 'text/plain; charset=utf-8'],
    ['paper.pdf', '%PDF-1.7\n', 'application/pdf'],
  ])('%s can never run as a page of the site', async (name, content, type) => {
    const file = await keep(name, content)
    const reply = await fetch(url + it.desk.url(file, null))
    expect(await reply.text()).toBe(content)
    expect(reply.headers.get('content-type')).toBe(type)
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(reply.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('a private file is shown to anyone who has its address, for a limited time', async () => {
    const file = await keep('secret.txt', 'the secret', 'private')
    const address = it.desk.url(file, 60)
    expect(address).toMatch(/^\/uploads\/private\/.*\?expires=\d+&signature=[\w-]{43}$/)
    const reply = await fetch(url + address)
    expect([reply.status, await reply.text()]).toEqual([200, 'the secret'])
    // A cached reply does not outlive the address.
    const cached = async (seconds: number): Promise<number> =>
      Number(
        /^private, max-age=(\d+)$/.exec(
          (await fetch(url + it.desk.url(file, seconds))).headers.get('cache-control') ?? '',
        )?.[1],
      )
    expect(await cached(60)).toBeLessThanOrEqual(60)
    expect(await cached(60)).toBeGreaterThan(30)
    expect(await cached(10_000)).toBe(300)
    const refused = async (path: string): Promise<number> => (await fetch(url + path)).status
    const [path = '', query = ''] = address.split('?')
    expect(await refused(path)).toBe(403)
    expect(await refused(`${path}?${query.replace(/expires=\d+/, `expires=${2 ** 33}`)}`)).toBe(403)
    expect(await refused(`${path}?${query.slice(0, -1)}`)).toBe(403)
    expect(await refused(`${path}?${query}AAAA`)).toBe(403)
    const other = await keep('other.txt', 'another', 'private')
    expect(await refused(`${it.desk.url(other, 60).split('?')[0]}?${query}`)).toBe(403)
    expect(await refused(it.desk.url(file, -1))).toBe(403)
    const forged = createSigner('another secret')
    expect(
      await refused(`${path}?expires=9999999999&signature=${forged.sign('see', `${file.path}\n9999999999`)}`),
    ).toBe(403)
    // The permission to send a file does not include the permission to read it.
    expect(
      await refused(`${path}?expires=9999999999&signature=${it.desk.signer.sign('send', `${file.path}\n9999999999`)}`),
    ).toBe(403)
  })

  test('nothing outside of the folder is shown', async () => {
    writeFileSync(join(it.kept, '..', 'secret'), 'secret')
    const key = 'a'.repeat(32)
    mkdirSync(join(it.kept, 'uploads/2026/11', key), { recursive: true })
    symlinkSync('/etc/passwd', join(it.kept, 'uploads/2026/11', key, 'link'))
    mkdirSync(join(it.kept, 'uploads/2026/11', key, 'folder'))
    for (const path of [
      '/uploads/../secret',
      '/uploads/%2e%2e/secret',
      '/uploads/..%2f..%2fsecret',
      `/uploads/2026/11/${key}/..%2f..%2f..%2f..%2fsecret`,
      `/uploads/2026/11/${key}/%2e%2e`,
      `/uploads/2026/11/${key}/link`,
      `/uploads/2026/11/${key}/folder`,
      `/uploads/2026/11/${key}/a%00`,
      `/uploads/2026/11/${key}/nothing`,
      `/uploads/2026/11/${key}`,
      '/uploads/',
    ]) {
      const reply = await fetch(url + path)
      expect([path, reply.status]).toEqual([path, 404])
      expect(await reply.text()).not.toContain('root:')
    }
  })
})

const TERMS: UploadTerms = { acl: 'public', least: 1, limit: 100_000, types: null, versions: {} }

/** Sends a file like a browser that has received permission. */
async function send(
  terms: UploadTerms,
  content: Blob,
  name: string,
  more: Record<string, string> = {},
): Promise<Response> {
  const { url: to, fields } = it.desk.presign(terms)
  return post(to, { ...fields, ...more }, content, name)
}

function post(to: string, fields: Record<string, string>, content: Blob, name: string): Promise<Response> {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) if (value !== '') form.append(field, value)
  form.append('file', content, name)
  return fetch(url + to, { method: 'POST', body: form, redirect: 'manual' })
}

describe('sending', () => {
  test('a file that there is leave for is kept, and its address said', async () => {
    const thumb = { width: 8, height: 8, fit: 'cover', format: 'webp', quality: null } as const
    const bytes = await picture(30, 30)
    const reply = await send(
      { ...TERMS, types: ['image/*'], versions: { thumb } },
      new Blob([new Uint8Array(bytes)]),
      'Zdjęcie.png',
    )
    const text = await reply.text()
    expect([reply.status, reply.headers.get('content-type')]).toEqual([201, 'application/xml; charset=utf-8'])
    const location = /<Location>([^<]+)<\/Location>/.exec(text)?.[1] ?? ''
    expect(location).toBe(reply.headers.get('location'))
    expect(location.startsWith(`${url}/uploads/`)).toBe(true)
    expect(Buffer.from(await (await fetch(location)).arrayBuffer())).toEqual(bytes)
    const small = await fetch(location.replace(/\/([^/]+)\.png$/, '/thumb/$1.webp'))
    expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp'])
    await vi.waitFor(() =>
      expect(filesIn(it.incoming).length).toBe(filesIn(it.incoming).filter((name) => !name.includes('-')).length),
    )
  })

  test('other ways to answer', async () => {
    const to = { success_action_status: '' }
    const plain = await send(TERMS, new Blob(['x']), 'a.txt', to)
    expect([plain.status, await plain.text()]).toEqual([204, ''])
    expect(plain.headers.get('location')).toContain('/a.txt')
    const onward = await send(TERMS, new Blob(['x']), 'a.txt', { success_action_redirect: '/done?a=1' })
    expect([onward.status, onward.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/done\?a=1&key=uploads%2F/),
    ])
    const elsewhere = ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:x']
    // Browsers remove the tab. The remaining text names another host.
    for (const target of [...elsewhere, '/\t/x//evil.example', '/.//evil.example/', ''])
      expect((await send(TERMS, new Blob(['x']), 'a.txt', { success_action_redirect: target })).status).toBe(201)
  })

  test('a private file gets no address that anybody could use', async () => {
    const reply = await send({ ...TERMS, acl: 'private' }, new Blob(['x']), 'a.txt')
    expect((await fetch(reply.headers.get('location') ?? '')).status).toBe(403)
  })

  test('the terms hold', async () => {
    const status = async (reply: Promise<Response>): Promise<[number, string | undefined]> => {
      const { status, text } = { status: (await reply).status, text: await (await reply).text() }
      return [status, /<Code>(\w+)<\/Code>/.exec(text)?.[1]]
    }
    expect(await status(send({ ...TERMS, limit: 10 }, new Blob(['x'.repeat(11)]), 'a.txt'))).toEqual([
      413,
      'EntityTooLarge',
    ])
    expect(await status(send(TERMS, new Blob(['x'.repeat(1_000_001)]), 'a.txt'))).toEqual([413, 'EntityTooLarge'])
    expect(await status(send({ ...TERMS, least: 10 }, new Blob(['x']), 'a.txt'))).toEqual([400, 'InvalidArgument'])
    expect(
      await status(send({ ...TERMS, types: ['image/*'] }, new Blob(['<html>'], { type: 'image/png' }), 'a.png')),
    ).toEqual([400, 'InvalidArgument'])
    expect(await status(send(TERMS, new Blob(['x']), 'a.txt', { acl: 'private' }))).toEqual([403, 'AccessDenied'])
  })

  test('leave is asked for, good for one file, and cannot be made', async () => {
    const { url: to, fields } = it.desk.presign(TERMS)
    const status = async (more: Record<string, string>): Promise<number> =>
      (await post(to, { ...fields, ...more }, new Blob(['x']), 'a.txt')).status
    const wider = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(fields['policy'] ?? '', 'base64url').toString()), limit: 10 ** 9 }),
    ).toString('base64url')
    expect(await status({ policy: wider })).toBe(403)
    expect(await status({ policy: '' })).toBe(403)
    expect(await status({ 'x-amz-signature': '' })).toBe(403)
    const see = it.desk.signer.sign('see', fields['policy'] ?? '')
    expect(await status({ 'x-amz-signature': see })).toBe(403)
    const junk = Buffer.from('no JSON').toString('base64url')
    expect(await status({ policy: junk, 'x-amz-signature': it.desk.signer.sign('send', junk) })).toBe(403)
    expect(await status({})).toBe(201)
    expect(await status({})).toBe(409)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_700_000 })
    try {
      const late = it.desk.presign(TERMS)
      vi.setSystemTime(Date.now() + 3_700_000)
      expect((await post(late.url, late.fields, new Blob(['x']), 'a.txt')).status).toBe(403)
    } finally {
      vi.useRealTimers()
    }
  })

  test('what is no such form is refused in its own words', async () => {
    const reply = await fetch(`${url}/api/uploads`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('MalformedPOSTRequest')])
    const broken = await fetch(`${url}/api/uploads`, {
      method: 'POST',
      body: '--x',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect(broken.status).toBe(400)
    const { url: to, fields } = it.desk.presign(TERMS)
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', 'a text')
    expect((await fetch(url + to, { method: 'POST', body: form })).status).toBe(400)
  })

  test('one leave, many senders at once: one file', async () => {
    const { url: to, fields } = it.desk.presign(TERMS)
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) => post(to, fields, new Blob([`${at}`]), 'a.txt')),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
  })
})
