/** `params` in a `default_payload`: the submitted values of the form, merged over the parameters of the request. */
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createApp } from '../../../../server/web/app.ts'
import { openGraphql } from '../../../../server/web/graphql/process.ts'
import { bodyText } from '../../../support/built-site.ts'
import { applyData, type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { request } from '../../../support/server/site.ts'

const TOKEN = 'admin-token-of-the-environment-0123456789'

const FILES = {
  'app/schema/note.yml':
    'name: note\nproperties:\n  - name: title\n  - name: slug\n  - name: tags\n    type: array\n  - name: file\n  - name: from\n',
  'app/forms/note.liquid': `---
name: note
resource: note
resource_owner: anyone
fields:
  properties:
    title:
    slug: { validation: { presence: true } }
    tags:
    file:
    from:
default_payload: |-
  {
    "properties_attributes": {
      "slug": "{{ params.properties_attributes.title | default: params.properties.title | slugify }}",
      "tags": "{{ params.properties_attributes.tags | join: ', ' }}",
      "file": "{{ params.properties_attributes.file }}",
      "from": "{{ params.from }} {{ context.params.from }} {{ params.form_name }}"
    }
  }
redirect_to: /
---
{{ params.title }}`,
  'app/graphql/create.graphql':
    'mutation($title: String!) { record_create(form_name: "note", record: { table: "note", properties: [{ name: "title", value: $title }] }) { properties } }',
  'app/views/pages/index.liquid': '{% graphql g = "create", title: "By Query" %}{{ g }}',
}

let database: TestDatabase
let site: LiquidSite
let app: App
let close: () => Promise<void>

beforeAll(async () => {
  database = await testDatabase()
  site = await liquidSite(FILES)
  const { sql } = database
  const logger = pino({ level: 'silent' })
  const ids = await applyData(sql, site.loaded.site.data)
  const graphql = await openGraphql({ sql, replica: null, secret: 's', apiToken: TOKEN, logger })
  close = () => graphql.close()
  app = createApp(
    site.loaded,
    { environment: 'production', version: '0.1.0', logger, graphql, constants: () => ({}) },
    ids,
  )
})
afterAll(async () => {
  await close?.()
  site?.close()
  await database?.close()
})

const stored = async () => {
  const [row] = await database.sql`select properties from ingot.records order by id desc limit 1`
  return row?.['properties'] as Record<string, unknown>
}

test('a form of a page', async () => {
  const pairs: [string, string][] = [
    ['form_name', 'note'],
    ['from', 'request'],
    ['form[from]', 'form'],
    ['form[properties_attributes][title]', 'The Old Oak'],
    ['form[properties_attributes][tags][]', 'wood'],
    ['form[properties_attributes][tags][]', 'green'],
  ]
  const reply = await app.handler(
    request('/api/customizations', {
      method: 'POST',
      body: Buffer.from(new URLSearchParams(pairs).toString()),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  )
  expect(reply.status).toBe(302)
  expect(await stored()).toMatchObject({
    title: 'The Old Oak',
    slug: 'the-old-oak',
    tags: ['wood, green'],
    from: 'form request note',
  })
})

test('a program, which says `form` in JSON', async () => {
  const reply = await app.handler(
    request('/api/user/customizations', {
      method: 'POST',
      body: Buffer.from(
        JSON.stringify({
          form_name: 'note',
          parent_resource_id: 'note',
          form: { model_schema_name: 'note', properties: { title: 'By JSON' } },
        }),
      ),
      headers: { 'content-type': 'application/json', authorization: `Token token=${TOKEN}` },
    }),
  )
  expect(reply.status).toBe(201)
  expect(await stored()).toMatchObject({ slug: 'by-json', from: '  note' })
})

test('a mutation that names the form', async () => {
  expect(bodyText(await app.handler(request('/?from=page')))).toContain('"slug":"by-query"')
  expect(await stored()).toMatchObject({ slug: 'by-query', from: 'page page ' })
})

test('what is no form has none of it', async () => {
  const reply = await app.handler(
    request('/api/customizations', {
      method: 'POST',
      body: Buffer.from('form_name=note&properties_attributes[title]=Elsewhere&form=text'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  )
  expect(reply.status).toBe(406)
})
