/** Files of forms: by multipart, as base64 and by URL, stored together with their records or not at all. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFiles } from '../../../../server/web/files/files.ts'
import { createLocalStore } from '../../../../server/web/files/local.ts'
import type { StoredFile } from '../../../../server/web/files/model.ts'
import { createSigner } from '../../../../server/web/files/signature.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { schema } from '../graphql/served.ts'
import { site } from '../../../support/server/site.ts'
import { ADMIN, field, form, forms, group, nested, rule, type ServedForms, serveForms } from './support.ts'

let database: TestDatabase
let served: ServedForms
const home = mkdtempSync(join(tmpdir(), 'ingot-form-files-'))

const NESTED = [
  nested('custom_images', 'photo', group({ attributes: [field('image', 'upload')] })),
  nested('custom_attachments', 'paper', group({ attributes: [field('file', 'upload')] })),
]
const FORMS = forms(
  form('item', {
    table: 'item',
    fields: group({
      properties: [
        field('title', 'string', rule('presence')),
        field('scan', 'upload'),
        field('code', 'string', rule('unique')),
      ],
      nested: [
        ...NESTED,
        nested('customizations', 'part', group({ properties: [field('name')], nested: NESTED.slice(0, 1) })),
      ],
    }),
  }),
)

const DATA = schema({ item: { title: 'string', scan: 'upload', code: 'string' }, part: { name: 'string' } })

beforeAll(async () => {
  database = await testDatabase()
  const incoming = join(home, 'incoming')
  const { sql } = database
  const files = createFiles({
    store: createLocalStore(join(home, 'files')),
    sql,
    signer: createSigner('s'.repeat(32)),
    incoming,
    limit: 200_000,
  })
  const messages = { file_too_large: 'jest za duży (najwyżej %{count})', file_base64: '%{attribute} to nie base64' }
  const translations = { en: { errors: { messages } } }
  served = await serveForms(site([], { data: DATA, forms: FORMS, translations }), database, {
    files,
    uploads: { folder: incoming, limit: 200_000 },
  })
})
afterAll(async () => {
  await served.close()
  await database.close()
  rmSync(home, { recursive: true, force: true })
})

const png = (width = 8): Promise<Buffer> =>
  sharp({ create: { width, height: 8, channels: 3, background: '#c00' } })
    .png()
    .toBuffer()

interface Made {
  readonly status: number
  readonly json: { readonly id?: number; readonly errors: Record<string, string[]> }
}

/** Sends files like a browser or a program. */
async function sendParts(parts: Readonly<Record<string, string | File>>, url = served.url): Promise<Made> {
  const body = new FormData()
  const all = { form_name: 'item', parent_resource_id: 'item', 'form[model_schema_name]': 'item', ...parts }
  for (const [name, value] of Object.entries(all)) body.append(name, value)
  const answer = await fetch(`${url}/api/customizations`, {
    method: 'POST',
    body,
    headers: { authorization: `Token ${ADMIN}` },
  })
  return { status: answer.status, json: (await answer.json()) as Made['json'] }
}

async function sendJson(form: object): Promise<Made> {
  const { status, json } = await served.send('POST', '/api/customizations', {
    form_name: 'item',
    parent_resource_id: 'item',
    form: { model_schema_name: 'item', ...form },
  })
  return { status, json: json as unknown as Made['json'] }
}

async function attached(
  owner: number | undefined,
): Promise<readonly { readonly kind: string; readonly name: string; readonly file: StoredFile }[]> {
  return database.sql`select kind, name, file from ingot.attachments where owner_type = 'Record' and owner_id = ${owner ?? 0} order by kind`
}

const known = async (): Promise<number> =>
  Number((await database.sql`select count(*)::int as n from ingot.files`)[0]?.['n'])

describe('files of a form', () => {
  test('sent as parts are kept, and named by what they belong to', async () => {
    const image = new File([new Uint8Array(await png())], '../../Zdjęcie 1.png', { type: 'image/png' })
    const { status, json } = await sendParts({
      'form[properties_attributes][title]': 'x',
      'form[properties_attributes][scan]': image,
      'form[custom_images_attributes][photo_attributes][image]': image,
      'form[custom_attachments_attributes][paper_attributes][file]': new File(['%PDF-1.4 some'], 'a.pdf', {
        type: 'application/pdf',
      }),
      'form[customizations_attributes][part_attributes][properties_attributes][name]': 'wheel',
      'form[customizations_attributes][part_attributes][custom_images_attributes][photo_attributes][image]': image,
    })
    expect([status, json]).toEqual([201, { id: expect.any(Number), errors: {} }])
    const [attachment, photo] = await attached(json.id)
    expect([attachment?.name, attachment?.file.content_type]).toEqual(['paper', 'application/pdf'])
    expect([photo?.kind, photo?.name, photo?.file.content_type]).toEqual(['image', 'photo', 'image/png'])
    expect(photo?.file.path).not.toContain('..')
    const [part] =
      await database.sql`select id::int as id, properties from ingot.records where customizable_id = ${json.id ?? 0}`
    expect(part?.['properties']).toEqual({ name: 'wheel' })
    expect(await attached(part?.['id'] as number)).toMatchObject([{ kind: 'image', name: 'photo' }])
    const [row] = await database.sql`select properties -> 'scan' as scan from ingot.records where id = ${json.id ?? 0}`
    expect(row?.['scan']).toMatchObject({ path: expect.stringContaining('uploads/'), extension: 'png' })
  })

  test('sent as text of base64 are kept too, and replaced by an update', async () => {
    const text = (await png()).toString('base64')
    const { status, json } = await sendJson({
      properties: { title: 'x' },
      custom_images: { photo: { image: `data:image/png;base64,${text}` } },
    })
    expect(status).toBe(201)
    const [before] = await attached(json.id)
    expect(before?.file.content_type).toBe('image/png')
    const wider = (await png(20)).toString('base64')
    const changed = await served.send('PUT', `/api/customizations/${json.id}`, {
      form_name: 'item',
      form: { custom_images: { photo: { image: wider } } },
    })
    expect([changed.status, changed.text]).toEqual([204, ''])
    const after = await attached(json.id)
    expect(after).toHaveLength(1)
    expect(after[0]?.file.path).not.toBe(before?.file.path)
  })

  const refused: readonly [string, object, string][] = [
    [
      'what is no image',
      { custom_images: { photo: { image: Buffer.from('<script>1</script>').toString('base64') } } },
      'custom_images.photo',
    ],
    ['what is no base64', { custom_images: { photo: { image: '%%%' } } }, 'custom_images.photo'],
    [
      'too much',
      { custom_attachments: { paper: { file: Buffer.alloc(300_000, 'a').toString('base64') } } },
      'custom_attachments.paper',
    ],
    [
      'the own network',
      { custom_images: { photo: { remote_image_url: 'http://127.0.0.1:1/a.png' } } },
      'custom_images.photo',
    ],
    [
      'the cloud’s own address',
      { custom_images: { photo: { remote_image_url: 'http://169.254.169.254/latest/meta-data' } } },
      'custom_images.photo',
    ],
    [
      'files of this machine',
      { custom_images: { photo: { remote_image_url: 'file:///etc/passwd' } } },
      'custom_images.photo',
    ],
  ]
  test.each(refused)('that are %s are refused, and nothing is stored', async (_what, form, path) => {
    const count = async () => (await database.sql`select count(*)::int as n from ingot.records`)[0]?.['n'] as number
    const [rows, files] = [await count(), await known()]
    const { status, json } = await sendJson({ properties: { title: 'x' }, ...form })
    expect([status, Object.keys(json.errors)]).toEqual([422, [expect.stringContaining(path)]])
    expect([await count(), await known()]).toEqual([rows, files])
  })

  test('are refused in the words of the site, where it has some', async () => {
    const refusal = async (form: object): Promise<unknown> =>
      (await sendJson({ properties: { title: 'x' }, ...form })).json.errors
    const paper = (file: string): object => ({ custom_attachments: { paper: { file } } })
    expect(await refusal(paper(Buffer.alloc(300_000, 'a').toString('base64')))).toEqual({
      'custom_attachments.paper': ['jest za duży (najwyżej 200 KB)'],
    })
    expect(await refusal(paper('%%%'))).toEqual({ 'custom_attachments.paper': ['Paper to nie base64'] })
    expect(await refusal({ custom_images: { photo: { remote_image_url: 'file:///etc/passwd' } } })).toEqual({
      'custom_images.photo': ['is not a URL that can be fetched'],
    })
  })

  test('may have any size that the server accepts', async () => {
    const incoming = join(home, 'large')
    const limit = 26_000_000
    const store = createLocalStore(join(home, 'files'))
    const files = createFiles({ store, sql: database.sql, signer: createSigner('s'.repeat(32)), incoming, limit })
    const large = await serveForms(site([], { data: DATA, forms: FORMS }), database, {
      files,
      uploads: { folder: incoming, limit },
    })
    try {
      const paper = new File([Buffer.alloc(25_500_000)], 'a.bin')
      const { status, json } = await sendParts(
        {
          'form[properties_attributes][title]': 'x',
          'form[custom_attachments_attributes][paper_attributes][file]': paper,
        },
        large.url,
      )
      expect([status, json.errors]).toEqual([201, {}])
    } finally {
      await large.close()
    }
  })

  test('are taken away again where the form is not saved', async () => {
    const image = (await png()).toString('base64')
    const form = { properties: { title: 'x', code: 'one' }, custom_images: { photo: { image } } }
    const sent = await Promise.all(Array.from({ length: 5 }, () => sendJson(form)))
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422])
    const named =
      await database.sql`select count(*)::int as n from ingot.attachments where file ->> 'path' in (select path from ingot.files)`
    const all = await database.sql`select count(*)::int as n from ingot.attachments`
    expect(named).toEqual(all)
    // One file for each reference: attachments, and the property of the first test.
    expect(await known()).toBeLessThanOrEqual(Number(all[0]?.['n']) + 2)
  })

  test('cannot be claimed by JSON: a path of this machine is no file that was sent', async () => {
    const { status } = await sendJson({
      properties: {
        title: 'x',
        scan: { kind: 'sent-file', path: '/etc/passwd', fileName: 'a', contentType: 'image/png', size: 9 },
      },
    })
    expect(status).toBe(406)
  })

  test('leave nothing behind on their way', () => {
    expect(readdirSync(join(home, 'incoming'))).toEqual([])
  })

  test('nothing went wrong on our side', () => {
    expect(served.logged.filter(({ level }) => Number(level) >= 50)).toEqual([])
  })
})
