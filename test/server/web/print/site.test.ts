/** Prints pages and uploads of a served site with the installed Chromium. */
import { cpSync, mkdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { deflateSync, crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../../../../compiler/phases/bundle/bundle.ts'
import { compile } from '../../../../compiler/compile.ts'
import { discover } from '../../../../compiler/core/source/discover.ts'
import { pdfText, readPdf } from '../../../support/pdf.ts'
import { root as projectRoot } from '../../../support/product.ts'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'
import { folder } from '../../../support/server/site.ts'
import { chromium, skipReason } from '../../core/print/printers.ts'

const FONT = 'node_modules/monaco-editor/esm/vs/base/browser/ui/codicons/codicon/codicon.ttf'

const FILES = {
  'app/schema/paper.yml': 'name: paper\nproperties:\n  - name: file\n    type: upload\n',
  'app/graphql/make.graphql': `mutation make($html: String!, $path: String) {
  made: record_create(record: { table: "paper", properties: [{ name: "file", value_upload: { type: pdf, content: $html, file_path: $path } }] }) {
    id file: property_upload(name: "file", expires_in: 600) { extension file_name url versions }
  }
}
`,
  'app/graphql/all.graphql': `query all {
  papers: records(per_page: 20, filter: { table: { value: "paper" } }) { results { file: property_upload(name: "file", expires_in: 600) { file_name url } } }
}
`,
  'app/views/layouts/application.liquid': '<html><body>{{ content_for_layout }}</body></html>',
  'app/views/layouts/print.liquid':
    '<html><head><link rel=stylesheet href="{{ "print.css" | asset_url }}"></head><body>{{ content_for_layout }}</body></html>',
  'app/views/pages/invoice.pdf.liquid': `---
slug: invoice
layout: print
response_headers: '{ "content-disposition": "attachment; filename=invoice-{{ context.params.n }}.pdf" }'
---
<h1>Invoice {{ context.params.n }}</h1><p class=icon>&#xea60;</p><img src="/assets/dot.png" width=50 height=50>`,
  'app/views/pages/wide.pdf.liquid': '---\nslug: wide\n---\n<style>@page { size: landscape }</style><p>wide</p>',
  'app/views/pages/kept.pdf.liquid': `---
slug: kept
static_cache:
  expire: 60
---
<p>{{ 'now' | date: '%s' }}</p>`,
  'app/views/pages/who.liquid': `---
slug: who
layout: ''
---
{% assign seen = context.cookies.seen %}<p>seen:{{ seen | default: 'nothing' }}</p>`,
  'app/views/pages/frames.pdf.liquid': `---
slug: frames
---
<p>cookie:{{ context.cookies.seen }}</p><iframe src="/who"></iframe><iframe src="/wide.pdf"></iframe><iframe src="/_ingot/up"></iframe><iframe src="/api/graph"></iframe>`,
  'app/views/pages/away.pdf.liquid': "---\nslug: away\n---\n{% redirect_to '/who' %}",
  'app/views/pages/endless.pdf.liquid': '---\nslug: endless\n---\n<script>for (;;);</script>',
  'app/views/pages/other.pdf.liquid': `---
slug: other
---
<p id=out>waiting</p><script type=module>
  const read = (url) => fetch(url).then((response) => response.text(), () => 'refused')
  out.textContent = await read('http://cdn.test/allowed') + ',' + await read('http://cdn.test/away') + ',' + await read('http://elsewhere.test/') + ',' + await read('http://localhost:{{ context.params.port }}/') + ',' + await read('http://127.0.0.1:{{ context.params.port }}/')
</script>`,
  'app/views/pages/upload.liquid': `---
slug: upload
layout: ''
---
{%- parse_json html -%}{{ context.params.html | json }}{%- endparse_json -%}
{%- graphql made = 'make', html: html, path: context.params.path -%}
{{ made | json }}`,
  'app/views/pages/later.liquid':
    "---\nslug: later\n---\n{%- background job = 'later', html: '<p>from a job</p><img src=\"/assets/dot.png\">' -%}{{ job }}",
  'app/views/partials/later.liquid': "{%- graphql made = 'make', html: html -%}",
  'app/views/pages/all.json.liquid': "---\nslug: all\n---\n{%- graphql all = 'all' -%}{{ all.papers.results | json }}",
  'app/assets/print.css':
    '@font-face { font-family: codicon; src: url(codicon.ttf) } .icon { font-family: codicon } h1 { background: yellow }',
}

/** Returns a PNG of one color. */
function png(): Uint8Array {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const head = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0])
  const pixels = deflateSync(Buffer.from([0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 9, 9]))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe.skipIf(chromium === null)(`PDF files of a site${skipReason}`, () => {
  let ingot: Programs
  let server: Program
  let url: string
  let cdn: Server
  const asked: string[] = []

  beforeAll(async () => {
    const root = folder(FILES)
    cpSync(join(projectRoot, FONT), join(root, 'app/assets/codicon.ttf'))
    const { writeFileSync } = await import('node:fs')
    writeFileSync(join(root, 'app/assets/dot.png'), png())
    const { files } = await discover(root)
    const compiled = compile(files, { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false })
    const errors = compiled.diagnostics.filter(({ severity }) => severity === 'error')
    expect(errors.map(({ code, message }) => `${code}: ${message}`)).toEqual([])
    const out = join(root, '.ingot')
    mkdirSync(out)
    await bundle({ modules: compiled.modules, files, operations: compiled.operations, out })
    cdn = createServer((request, response) => {
      asked.push(`${request.headers.host}${request.url}`)
      response.setHeader('access-control-allow-origin', '*')
      if (request.url === '/away') response.writeHead(302, { location: 'http://elsewhere.test/' }).end()
      else response.end('allowed')
    })
    await new Promise<void>((done) => cdn.listen(0, '127.0.0.1', done))
    const { port } = cdn.address() as AddressInfo
    ingot = await programs()
    server = ingot.start(['serve', root], {
      INGOT_ENV: 'staging',
      INGOT_JOB_THREADS: '1',
      INGOT_PDF_SECONDS: '8',
      INGOT_PDF_HOSTS: 'cdn.test,localhost,127.0.0.1',
      INGOT_OUTGOING: 'localhost,127.0.0.1,::1',
      INGOT_OUTGOING_STAND_IN: `http://cdn.test=http://127.0.0.1:${port}`,
    })
    url = `http://127.0.0.1:${await server.port()}`
    // The first document starts Chromium, which may take longer than a document may on a slow machine.
    for (let i = 0; i < 10 && (await get('/wide.pdf')).status !== 200; i++);
  })
  afterAll(async () => {
    server?.child.kill('SIGTERM')
    await server?.exitCode
    await ingot?.clean()
    cdn?.close()
  })

  const get = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url + path, { headers, redirect: 'manual' })
  const pdf = async (path: string, headers: Record<string, string> = {}): Promise<Uint8Array> => {
    const response = await get(path, headers)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    return new Uint8Array(await response.arrayBuffer())
  }
  const text = async (path: string, headers?: Record<string, string>): Promise<string> =>
    pdfText(await pdf(path, headers))

  it('a page is a PDF with its layout, fonts and images', async () => {
    const response = await get('/invoice.pdf?n=7')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=invoice-7.pdf')
    const bytes = new Uint8Array(await response.arrayBuffer())
    const [page, ...more] = readPdf(bytes)
    expect(more).toEqual([])
    expect(page).toMatchObject({ width: 595.91998, height: 841.91998, images: 1 })
    expect(page?.text).toContain('Invoice 7')
    expect(Buffer.from(bytes).toString('latin1')).toMatch(/\/FontName \/\w+\+codicon/)
  })

  it('its size and orientation are those of @page', async () => {
    expect(readPdf(await pdf('/wide.pdf'))).toMatchObject([{ width: 841.91998, height: 595.91998, text: 'wide\n' }])
  })

  it('answers HEAD and conditional requests like other pages', async () => {
    const head = await fetch(`${url}/wide.pdf`, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000)
    expect(await head.text()).toBe('')
    await sleep(1_100)
    const again = await get('/wide.pdf', { 'if-none-match': head.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  it('is kept by static_cache', async () => {
    const first = await pdf('/kept.pdf')
    await sleep(1_100)
    expect(await Promise.all([1, 2, 3].map(() => text('/kept.pdf')))).toEqual(Array(3).fill(expect.any(String)))
    // Each process has its own cache.
    const seen = new Set<string>()
    for (let i = 0; i < 20; i++) seen.add(Buffer.from(await pdf('/kept.pdf')).toString('latin1'))
    expect(seen).toContain(Buffer.from(first).toString('latin1'))
    expect(seen.size).toBeLessThanOrEqual(4)
  })

  it('contains own pages as an unknown visitor sees them, and neither endpoints nor other PDF pages', async () => {
    const printed = await text('/frames.pdf', { cookie: 'seen=mine' })
    expect(printed).toContain('cookie:mine')
    expect(printed).toContain('seen:nothing')
    expect(printed).not.toMatch(/wide|"ok"|status/)
  })

  it('loads from hosts in the settings, and follows their redirects only to such hosts and to public addresses', async () => {
    expect(await text(`/other.pdf?port=${(cdn.address() as AddressInfo).port}`)).toContain(
      'allowed,refused,refused,refused,refused',
    )
    expect(asked).toEqual(['cdn.test/allowed', 'cdn.test/away'])
  })

  it('a redirect stays a redirect', async () => {
    const response = await get('/away.pdf')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/who'])
  })

  it('a document that takes too long is answered with 504, and others are printed', async () => {
    const response = await get('/endless.pdf')
    expect([response.status, response.headers.get('content-type')]).toEqual([504, 'text/plain; charset=utf-8'])
    await server.waitForOutput('The document was not printed within 8 s.')
    expect(await text('/wide.pdf')).toContain('wide')
  })

  const made = async (
    html: string,
    path = '',
  ): Promise<{ readonly made: { readonly file: { readonly url: string } } }> =>
    JSON.parse(await (await get(`/upload?html=${encodeURIComponent(html)}&path=${path}`)).text())
  const download = async (link: string): Promise<string> => {
    const response = await fetch(new URL(link, url))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    return pdfText(new Uint8Array(await response.arrayBuffer()))
  }

  it('an upload of the type pdf is a file that is named like its property', async () => {
    const result = await made('<h1>Test</h1>')
    expect(result).toEqual({
      made: { id: '1', file: { extension: 'pdf', file_name: 'file.pdf', url: expect.any(String), versions: {} } },
    })
    expect(await download(result.made.file.url)).toContain('Test')
    expect(await made('<p>x', 'reports/year.pdf')).toMatchObject({ made: { file: { file_name: 'year.pdf' } } })
  })

  it('a job creates one, with images of the site', async () => {
    await get('/later')
    const find = async (): Promise<readonly { readonly file: { readonly url: string } }[]> =>
      JSON.parse(await (await get('/all.json')).text())
    for (let i = 0; i < 600 && (await find()).length < 3; i++) await sleep(100)
    const links = (await find()).map(({ file }) => file.url)
    const texts = await Promise.all(links.map(download))
    expect(texts.filter((each) => each.includes('from a job'))).toHaveLength(1)
  })

  it('an upload that fails writes no row', async () => {
    const response = await get(`/upload?html=${encodeURIComponent('<script>for (;;);</script>')}`)
    expect(await response.text()).not.toContain('file.pdf')
    expect(await (await get('/all.json')).json()).toHaveLength(3)
  })
})

describe('PDF files without Chromium', () => {
  it('a page fails with a message that says what to install, and the start warns', async () => {
    const ingot = await programs()
    try {
      const root = folder({ 'app/views/pages/a.pdf.liquid': '<p>a</p>' })
      const { files } = await discover(root)
      const compiled = compile(files, { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false })
      expect(compiled.diagnostics.map(({ code }) => code)).toEqual([])
      mkdirSync(join(root, '.ingot'))
      await bundle({ modules: compiled.modules, files, operations: compiled.operations, out: join(root, '.ingot') })
      const server = ingot.start(['serve', root], { INGOT_CHROMIUM: '/nowhere' })
      const port = await server.port()
      await server.waitForOutput("no Chromium is found, so each of them fails: INGOT_CHROMIUM names '/nowhere'")
      const response = await fetch(`http://127.0.0.1:${port}/a.pdf`)
      expect(response.status).toBe(500)
      await server.waitForOutput('install Chromium to create PDF files')
    } finally {
      await ingot.clean()
    }
  })
})
