/** The OpenAPI document of a site's forms, printed by the command and served in development. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../../../compiler/phases/bundle/bundle.ts'
import { compile } from '../../../compiler/compile.ts'
import { discover } from '../../../compiler/core/source/discover.ts'
import * as runtime from '../../../runtime/index.ts'
import { openApiCommand, readOpenApiLine } from '../../../server/commands/openapi.ts'
import { type LoadedSite, loadSite } from '../../../server/web/site/load.ts'
import { sites } from '../../support/built-site.ts'
import { field, form, group, rule } from '../../runtime/data/openapi/forms.ts'
import { matchesSchema } from '../../runtime/data/openapi/json-schema.ts'
import { inconsistencies, type OpenApiDocument, openApiDocument } from '../../runtime/data/openapi/rules-document.ts'
import { app, bodyOf, request, site } from '../../support/server/site.ts'

/** Validates a document against the rules. */
function readDocument(text: string): OpenApiDocument {
  const document = JSON.parse(text) as OpenApiDocument
  expect(openApiDocument.safeParse(document).error).toBeUndefined()
  expect(inconsistencies(document)).toEqual([])
  return document
}

describe('GET /api/openapi.json', () => {
  const signUp = form('sign_up', 'user', group([field('email', 'string', rule('presence'))]))
  const compiled = site([], { forms: { sign_up: signUp } })

  it('answers while the site is developed', async () => {
    const { handler } = app(compiled, { environment: 'development' })
    const more = { protocol: 'https', host: 'shop.example:8443' } as const
    const reply = await handler(request('/api/openapi.json?x=1', more))
    expect(reply).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } })
    const document = readDocument(bodyOf(reply))
    expect(document.servers).toEqual([{ url: 'https://shop.example:8443' }])
    expect(Object.keys(document.paths)).toEqual(['/api/users', '/api/users/{user_id}'])
  })

  it.each(['production', 'staging'] as const)('is nothing in %s', async (environment) => {
    const { handler } = app(compiled, { environment })
    expect((await handler(request('/api/openapi.json'))).status).toBe(404)
  })

  it('is for reading only', async () => {
    const { handler } = app(compiled, { environment: 'development' })
    expect((await handler(request('/api/openapi.json', { method: 'POST' }))).status).toBe(404)
    expect((await handler(request('/api/openapi.jsonx'))).status).toBe(404)
  })
})

describe('ingot openapi', () => {
  let home: string
  let loaded: LoadedSite

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'ingot-openapi-'))
    const root = join(sites, 'marketplace')
    const { files } = await discover(root)
    const { modules, operations, diagnostics } = compile(files, {
      dialect: 'platform',
      syntax: 'lax',
      keepGoing: false,
      openEntries: false,
    })
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    expect(errors.map(({ code, message }) => `${code}: ${message}`)).toEqual([])
    await bundle({ modules, files, operations, out: home })
    loaded = await loadSite({ root, folder: home }, runtime)
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  it('prints the document of the demo site, which holds for what its forms send', async () => {
    const printed: string[] = []
    const load = async (dir: string): Promise<LoadedSite> => {
      expect(dir).toBe('shop')
      return loaded
    }
    const line = ['shop', '--url', 'https://shop.example/']
    expect(await openApiCommand(line, load, '1.2.3', (text) => void printed.push(text))).toBe(0)
    const document = readDocument(printed.join(''))
    expect(document.info).toEqual({ title: loaded.name, version: '1.2.3' })
    expect(document.servers).toEqual([{ url: 'https://shop.example' }])
    const served = Object.values(loaded.site.forms).filter(({ requestAllowed }) => requestAllowed)
    expect(served.length).toBeGreaterThan(3)
    for (const { name } of served) expect(JSON.stringify(document.paths)).toContain(JSON.stringify(name))
    const { schema } = document.paths['/api/sessions']!.post!.requestBody.content['application/json']!
    const sent = { form_name: 'sessions/log_in', form: { email: 'ann@shop.example', password: 'secret' } }
    const whole = { ...(schema as object), components: document.components }
    expect(matchesSchema(whole, sent)).toBe(true)
    expect(matchesSchema(whole, { ...sent, form_name: 'sessions/nowhere' })).toBe(false)
  })

  it('takes a folder and the address of the site', () => {
    expect(readOpenApiLine([])).toEqual({ dir: '.', url: '/' })
    expect(readOpenApiLine(['shop', '--url=http://a.example:80/base/'])).toEqual({
      dir: 'shop',
      url: 'http://a.example:80/base',
    })
    expect(() => readOpenApiLine(['a', 'b'])).toThrow("takes one folder, not 'a' and 'b'")
    expect(() => readOpenApiLine(['--out', 'x'])).toThrow("has no option '--out'")
    expect(() => readOpenApiLine(['--url='])).toThrow('The option --url needs a value')
    for (const url of ['shop.example', 'javascript:alert(1)', 'https://'])
      expect(() => readOpenApiLine([`--url=${url}`])).toThrow('needs the base URL of the site')
  })
})
