/** Tests assets, which the platform's command-line client sends separately from the site, with a manifest. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Answer, type InstanceSetup, type Instance, openInstanceSetup, siteZip, zipOf } from './instance-setup.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const SITE = {
  'app/views/pages/index.liquid':
    "{{ 'a.css' | asset_url }} {{ 'sub/b.js' | asset_url }} {{ 'modules/shop/c.js' | asset_url }}",
}

let ground: InstanceSetup
let instance: Instance
let folder: string

beforeAll(async () => {
  ground = await openInstanceSetup()
  instance = await ground.open('assets')
  const { body } = await instance.ask('GET', 'instance')
  folder = `instances/${body.id}/assets`
})

afterAll(() => ground.clean())

/** Requests an upload URL, with the headers that the client sends. */
async function presigned(what: string, token = instance.token): Promise<Answer> {
  const response = await fetch(`${instance.url}/api/private/urls/${what}`, {
    headers: { token, marketplace_domain: '127.0.0.1' },
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

/** Sends an archive of assets, and waits until it is unpacked. */
async function sendArchive(files: Readonly<Record<string, string>>): Promise<void> {
  const name = encodeURIComponent(`${folder}/${Date.now()}.assets_deploy.zip`)
  const { body } = await presigned(`presign-url?fileName=${name}&contentLength=1&contentType=null`)
  const archive = zipOf(Object.entries(files).map(([each, text]) => ({ name: each, text })))
  const put = await fetch(body.url ?? '', { method: 'PUT', body: new Uint8Array(archive) })
  expect(put.status).toBe(200)
  while ((await fetch(body.accessUrl ?? '', { method: 'HEAD' })).ok) await sleep(50)
}

/** Sends the manifest of a deployment. Returns the status of the deployment after its assets have arrived. */
async function sendManifest(names: readonly string[], release: string, size = 1): Promise<unknown> {
  const manifest = Object.fromEntries(
    names.map((name) => [name, { physical_file_path: name, updated_at: 1, file_size: size }]),
  )
  const { status } = await instance.ask('POST', 'assets_manifest', {
    manifest,
    marketplace_release_id: Number(release),
  })
  expect(status).toBe(200)
  for (;;) {
    const { body } = await instance.ask('GET', `marketplace_releases/${release}`)
    if (!('asset_status' in body)) return body
    await sleep(50)
  }
}

/** Returns the texts of the assets that the page references. */
async function shown(): Promise<readonly string[]> {
  const urls = (await instance.text('/')).split(' ')
  return Promise.all(
    urls.map(async (url) => {
      const response = await fetch(new URL(url, instance.url))
      return response.ok ? response.text() : String(response.status)
    }),
  )
}

test('assets are served when their manifest came, and stay until the next one takes them away', async () => {
  const first = await instance.send(siteZip(SITE))
  // The missing assets are not reported, because they arrive after the site.
  expect(JSON.stringify(await instance.done(first))).not.toContain('There is no asset')
  await sendArchive({ 'a.css': 'a{}', 'sub/b.js': 'b', 'modules/shop/c.js': 'c' })
  expect(await sendManifest(['a.css', 'sub/b.js', 'modules/shop/c.js'], first)).toMatchObject({
    asset_report: { upserted: ['app/assets/a.css', 'app/assets/sub/b.js', 'modules/shop/public/assets/c.js'] },
  })
  expect(await shown()).toEqual(['a{}', 'b', 'c'])
  const second = await instance.send(siteZip(SITE))
  await instance.done(second)
  expect(await shown()).toEqual(['a{}', 'b', 'c'])
  await sendArchive({ 'a.css': 'a{color:red}' })
  expect(await sendManifest(['a.css', 'modules/shop/c.js'], second)).toMatchObject({
    asset_report: {
      upserted: ['app/assets/a.css'],
      deleted: ['app/assets/sub/b.js'],
      skipped: ['modules/shop/public/assets/c.js'],
    },
  })
  const [a, , c] = await shown()
  expect([a, c]).toEqual(['a{color:red}', 'c'])
})

test('a private asset of a module stands where its file does, and in one place only', async () => {
  const release = await instance.send(siteZip(SITE))
  await instance.done(release)
  await sendArchive({ 'modules/shop/c.js': 'private c' })
  const at = (folder: string) => ({ physical_file_path: `modules/shop/${folder}/assets/c.js` })
  const ask = async (manifest: object): Promise<void> => {
    const { body } = await instance.ask('POST', 'assets_manifest', { manifest })
    await instance.done(String(body.id))
  }
  await ask({ 'modules/shop/c.js': at('public') })
  expect((await shown())[2]).toBe('private c')
  await ask({ 'modules/shop/c.js': at('private') })
  expect((await shown())[2]).toBe('private c')
  const { body } = await instance.ask('POST', 'marketplace_releases/backup', { module_name: '' })
  const state = async () => (await instance.ask('GET', `marketplace_releases/${body.id}`)).body
  await expect.poll(async () => (await state()).status).toBe('success')
  const { zip_file } = (await state()) as { zip_file: { url: string } }
  const archive = Buffer.from(await (await fetch(zip_file.url)).arrayBuffer()).toString('latin1')
  expect(archive).toContain('modules/shop/private/assets/c.js')
  expect(archive).not.toContain('modules/shop/public/assets/c.js')
})

test('a manifest of what was never sent is refused, and the manifest of a dry run changes nothing', async () => {
  const release = await instance.send(siteZip(SITE))
  await instance.done(release)
  expect(await sendManifest(['never.css'], release)).toMatchObject({
    asset_error: { error: expect.stringContaining('never.css') as string },
  })
  const before = await shown()
  const dry = await instance.send(siteZip(SITE), { dryRun: true })
  await instance.done(dry)
  expect(await sendManifest([], dry)).toMatchObject({ asset_report: { upserted: [], skipped: [] } })
  expect(await shown()).toEqual(before)
})

test('a dry run tells which assets would be new, others, or gone, though their bytes are not sent', async () => {
  const files = { 'kept.css': 'a{}', 'gone.css': 'a{}', 'other.css': 'a{}' }
  await sendArchive(files)
  const release = await instance.send(siteZip(SITE))
  await instance.done(release)
  await sendManifest(Object.keys(files), release)
  const dry = await instance.send(siteZip(SITE), { dryRun: true })
  await instance.done(dry)
  const paths = (...names: string[]) => names.map((name) => `app/assets/${name}`)
  expect(await sendManifest(['kept.css'], dry, 3)).toMatchObject({
    asset_report: { upserted: [], deleted: paths('gone.css', 'other.css'), skipped: paths('kept.css') },
  })
  expect(await sendManifest(['new.css', 'other.css'], dry, 4)).toMatchObject({
    asset_report: { upserted: paths('new.css', 'other.css'), deleted: paths('gone.css', 'kept.css'), skipped: [] },
  })
  const partial = await instance.send(siteZip(SITE), { dryRun: true, partial: true })
  await instance.done(partial)
  expect(await sendManifest(['new.css'], partial)).toMatchObject({
    asset_report: { upserted: paths('new.css'), deleted: [] },
  })
  expect(await sendManifest(['../a.css'], dry)).toMatchObject({
    asset_error: { error: expect.stringContaining('leads out of the site') as string },
  })
  expect(await instance.text('/assets/kept.css')).toBe('a{}')
  expect((await fetch(`${instance.url}/assets/new.css`)).status).toBe(404)
})

test('addresses are for whoever may deploy, for their own file, and for the folder that was named', async () => {
  expect(await presigned(`presign-url?fileName=${folder}/x.zip`, 'none')).toMatchObject({ status: 401 })
  for (const name of ['elsewhere/x.zip', `${folder}/../../x.zip`, ''])
    expect(await presigned(`presign-url?fileName=${encodeURIComponent(name)}`)).toMatchObject({ status: 422 })
  const { body } = await presigned(`presign-url?fileName=${folder}/x.bin`)
  const url = body.url ?? ''
  expect((await fetch(url.replace('x.bin', 'y.bin'), { method: 'PUT', body: 'x' })).status).toBe(401)
  expect((await fetch(body.accessUrl ?? '', { method: 'PUT', body: 'x' })).status).toBe(401)
  expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(200)
  expect((await fetch(body.accessUrl ?? '', { method: 'HEAD' })).status).toBe(200)

  const { body: directory } = await presigned(`presign-directory?directory=${folder}`)
  const sent = async (key: string): Promise<number> => {
    const form = new FormData()
    form.append('key', key)
    form.append('Content-Type', 'text/css')
    form.append('file', new Blob(['a{color:blue}']), 'a.css')
    return (await fetch(directory.url ?? '', { method: 'POST', body: form })).status
  }
  const key = directory.fields?.['key'] ?? ''
  expect(await sent(key)).toBe(201)
  expect(await sent(key.replace('assets/', 'assets/../'))).toBe(403)
  expect(await sent('elsewhere/a.css')).toBe(403)
  const manifest = { 'a.css': { physical_file_path: 'assets/a.css', updated_at: 1, file_size: 1 } }
  const { body: asked } = await instance.ask('POST', 'assets_manifest', { manifest })
  await instance.done(String(asked.id))
  expect((await shown())[0]).toBe('a{color:blue}')
})
