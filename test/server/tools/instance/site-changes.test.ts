/** Tests mutations that change files of a deployed site: what they return is served, by all processes, or nothing is changed. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createToken } from '../../../../server/data/store/tokens.ts'
import { type Changer, changerOf } from './changes-setup.ts'
import { type InstanceSetup, type Instance, openInstanceSetup, siteZip } from './instance-setup.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const HEAD = '---\n# The address of the page\nslug: first   # on purpose\nmetadata: {a: 1}\nlayout: ""\n---\n'
const SITE: Readonly<Record<string, string>> = {
  'app/views/pages/index.liquid': 'home',
  'app/views/pages/first.html.liquid': `${HEAD}first`,
  'app/views/layouts/application.liquid': '<main>{{ content_for_layout }}</main>',
  'app/views/partials/tail.liquid': 'tail',
  'app/schema/note.yml': '# Notes\nname: note\nproperties:\n- name: title   # shown\n- name: rank\n  type: integer\n',
  'app/authorization_policies/members.liquid': '---\nname: members\n---\ntrue',
  'app/assets/one.txt': 'one',
  'app/assets/deep/two.txt': 'two',
  'app/forms/note.liquid': '---\nname: note\nresource: note\nfields:\n  properties:\n    title:\n---\n',
}

let ground: InstanceSetup
let instance: Instance
let ask: Changer['ask']
let change: Changer['change']
let refusal: Changer['refusal']
let shown: Changer['shown']
let fileText: Changer['fileText']

beforeAll(async () => {
  ground = await openInstanceSetup()
  instance = await ground.open('changes', { INGOT_WORKERS: '2' })
  expect(await instance.deploy(siteZip(SITE))).toMatchObject({ status: 'success' })
  const changer = changerOf(instance, ground)
  ;({ ask, change, refusal, shown, fileText } = changer)
})

afterAll(() => ground.clean())

describe('pages', () => {
  test('are created, changed, moved and deleted, and answer', async () => {
    const created = await change(
      `admin_page_create(page: { physical_file_path: "views/pages/hello.html.liquid", slug: "hello", content: "hi {{ 1 | plus: 1 }}", metadata: { title: "T" }, request_method: get, dynamic_cache_key: "k", static_cache_expire: 5, authorization_policies: ["members"], max_deep_level: 2, redirect_code: MOVED_PERMANENTLY })`,
      'id slug content physical_file_path metadata dynamic_cache_key static_cache_expire max_deep_level authorization_policies { name }',
    )
    expect(created).toMatchObject({
      slug: 'hello',
      content: 'hi {{ 1 | plus: 1 }}',
      physical_file_path: 'app/views/pages/hello.html.liquid',
      metadata: { title: 'T' },
      dynamic_cache_key: 'k',
      static_cache_expire: 5,
      max_deep_level: 2,
      authorization_policies: [{ name: 'members' }],
    })
    expect(await shown('/hello')).toEqual(['200 <main>hi 2</main>'])
    const updated = await change(
      `admin_page_update(id: "${created?.id}", page: { content: "new", layout: "", static_cache_expire: null, dynamic_cache_key: null, authorization_policy_ids: [] })`,
      'id slug content layout static_cache_expire metadata',
    )
    expect(updated).toMatchObject({
      id: created?.id,
      slug: 'hello',
      content: 'new',
      static_cache_expire: null,
      metadata: { title: 'T' },
    })
    expect(await shown('/hello')).toEqual(['200 new'])
    const moved = await change(
      `admin_page_update(physical_file_path: "app/views/pages/hello.html.liquid", page: { physical_file_path: "views/pages/deep/moved.liquid", slug: "moved/:id" })`,
      'id physical_file_path slug content',
    )
    expect(moved).toMatchObject({
      physical_file_path: 'app/views/pages/deep/moved.liquid',
      slug: 'moved/:id',
      content: 'new',
    })
    expect(await shown('/moved/5')).toEqual(['200 new'])
    expect((await shown('/hello'))[0]).toMatch(/^404/)
    expect(await change(`admin_page_delete(id: "${moved?.id}")`, 'id content slug')).toEqual({
      id: moved?.id,
      content: 'new',
      slug: 'moved/:id',
    })
    expect((await shown('/moved/5'))[0]).toMatch(/^404/)
  })

  test('keep what is not changed, to the letter', async () => {
    await change(
      'admin_page_update(physical_file_path: "views/pages/first.html.liquid", page: { content: "second" })',
      'id',
    )
    expect(await fileText('app/views/pages/first.html.liquid')).toBe(`${HEAD}second`)
    await change(
      'admin_page_update(physical_file_path: "views/pages/first.html.liquid", page: { slug: "other", searchable: true })',
      'id',
    )
    expect(await fileText('app/views/pages/first.html.liquid')).toBe(
      '---\n# The address of the page\nslug: other # on purpose\nmetadata: { a: 1 }\nlayout: ""\nsearchable: true\n---\nsecond',
    )
    expect(await shown('/other')).toEqual(['200 second'])
  })

  test('are changed and deleted by a filter', async () => {
    const { data } = await ask(`mutation {
      a: admin_page_create(page: { physical_file_path: "views/pages/many/a.liquid", content: "a" }) { id }
      b: admin_page_create(page: { physical_file_path: "views/pages/many/b.liquid", content: "b" }) { id }
    }`)
    expect(data).toEqual({ a: { id: expect.any(String) }, b: { id: expect.any(String) } })
    const filter = 'filter: { physical_file_path: { contains: "/many/" } }'
    expect(await change(`admin_page_update_all(${filter}, page: { layout: "" })`, 'count')).toEqual({ count: 2 })
    expect(await shown('/many/b')).toEqual(['200 b'])
    expect(
      await refusal(`admin_page_update_all(${filter}, page: { physical_file_path: "views/pages/x.liquid" })`, 'count'),
    ).toContain('matches 2 files')
    expect(await change(`admin_pages_delete_all(${filter})`, 'count')).toEqual({ count: 2 })
    expect(await change(`admin_pages_delete_all(${filter}, sync: true)`, 'count')).toEqual({ count: 0 })
    expect((await shown('/many/b'))[0]).toMatch(/^404/)
  })

  test('refused by the compiler change nothing, also what stands next to them', async () => {
    const { data, errors } = await ask(`mutation {
      good: admin_page_create(page: { physical_file_path: "views/pages/good.liquid", content: "good" }) { id }
      bad: admin_page_create(page: { physical_file_path: "views/pages/bad.liquid", slug: "bad", content: "one\\n{% if %}" }) { id }
    }`)
    expect(data).toBeNull()
    expect(errors).toEqual([
      expect.objectContaining({
        path: ['bad'],
        message: expect.stringContaining('app/views/pages/bad.liquid:5: '),
        extensions: { code: 'value', file: 'app/views/pages/bad.liquid', line: 5 },
      }),
    ])
    expect((await shown('/good'))[0]).toMatch(/^404/)
  })

  test('that are there are not created, and others not changed', async () => {
    expect(await refusal('admin_page_create(page: { physical_file_path: "views/pages/index.liquid" })')).toContain(
      'There is already a file `app/views/pages/index.liquid`',
    )
    expect(await refusal('admin_page_update(physical_file_path: "views/pages/none.liquid", page: {})')).toBe(
      'There is no page `views/pages/none.liquid`.',
    )
    expect(
      await refusal(
        'admin_page_update(physical_file_path: "views/pages/first.html.liquid", page: { physical_file_path: "views/pages/index.liquid" })',
      ),
    ).toContain('There is already a file')
    expect(await refusal('admin_page_delete(physical_file_path: "views/pages/none.liquid")')).toContain(
      'There is no page',
    )
    expect(await refusal('admin_page_update(id: "5", page: {})')).toBe('There is no page with the id `5`.')
    const loud = 'admin_page_create(page: { physical_file_path: "views/pages/INDEX.liquid" })'
    expect(await refusal(loud)).toContain('differ only in upper and lower case')
    expect(
      await refusal(
        'admin_page_update(physical_file_path: "views/pages/index.liquid", page: { deleted_at: "2030-01-01" })',
      ),
    ).toContain('`admin_page_delete`')
  })
})

describe('other files', () => {
  test('partials and layouts are called by what is in them now', async () => {
    const { data, errors } = await ask(`mutation {
      layout: admin_liquid_layout_create(liquid_layout: { path: "frame", physical_file_path: "views/layouts/frame.liquid", body: "[{{ content_for_layout }}]" }) { id path body format }
      partial: admin_liquid_partial_create(liquid_partial: { path: "parts/new", body: "new" }) { id path body physical_file_path }
      page: admin_page_update(physical_file_path: "views/pages/index.liquid", page: { content: "{% render 'parts/new' %}", layout: "frame" }) { id layout }
    }`)
    expect(errors).toBeUndefined()
    expect(data).toMatchObject({
      layout: { path: 'frame', body: '[{{ content_for_layout }}]', format: 'html' },
      partial: { path: 'parts/new', body: 'new', physical_file_path: 'app/views/partials/parts/new.liquid' },
      page: { layout: 'frame' },
    })
    expect(await shown('/')).toEqual(['200 [new]'])
    const { layout, partial } = data ?? {}
    await change(`admin_liquid_partial_update(id: "${partial?.id}", liquid_partial: { body: "newer" })`, 'body')
    await change(
      `admin_liquid_layout_update(id: "${layout?.id}", liquid_layout: { body: "({{ content_for_layout }})" })`,
      'body',
    )
    expect(await shown('/')).toEqual(['200 (newer)'])
    expect(await refusal(`admin_liquid_layout_update(id: "${layout?.id}", liquid_layout: { format: json })`)).toContain(
      'app/views/layouts/frame.json.liquid',
    )
    expect(await refusal(`admin_liquid_layout_update(id: "${layout?.id}", liquid_layout: { path: "x" })`)).toContain(
      'physical_file_path',
    )
    // A file moves together with the page that calls it.
    const moved = await ask(`mutation {
      a: admin_liquid_partial_update(id: "${partial?.id}", liquid_partial: { physical_file_path: "lib/moved.liquid" }) { path body }
      b: admin_page_update(physical_file_path: "views/pages/index.liquid", page: { content: "{% render 'moved' %}", layout: null }) { id }
      c: admin_liquid_layout_delete(id: "${layout?.id}") { body }
    }`)
    expect(moved.data).toMatchObject({ a: { path: 'moved', body: 'newer' }, c: { body: '({{ content_for_layout }})' } })
    expect(await shown('/')).toEqual(['200 <main>newer</main>'])
    expect(
      await change(
        'admin_liquid_partial_update_all(filter: { path: { value: "moved" } }, liquid_partial: { body: "all" })',
        'count',
      ),
    ).toEqual({ count: 1 })
    expect(await shown('/')).toEqual(['200 <main>all</main>'])
    expect(await change('admin_liquid_partial_delete_all(filter: { path: { value: "tail" } })', 'count')).toEqual({
      count: 1,
    })
    expect(await change('admin_liquid_layout_delete_all(filter: { path: { value: "none" } })', 'count')).toEqual({
      count: 0,
    })
    expect(
      await change(
        'admin_liquid_layout_update_all(filter: { path: { value: "application" } }, liquid_layout: { body: "<{{ content_for_layout }}>" })',
        'count',
      ),
    ).toEqual({ count: 1 })
    expect(await shown('/')).toEqual(['200 <all>'])
    await change(
      'admin_liquid_layout_update(physical_file_path: "views/layouts/application.liquid", liquid_layout: { body: "<main>{{ content_for_layout }}</main>" })',
      'id',
    )
  })

  test('queries, policies and notifications', async () => {
    const { data, errors } = await ask(`mutation {
      query: admin_graphql_create(graphql: { physical_file_path: "graphql/notes.graphql", body: "query { records(per_page: 1, filter: { table: { value: \\"note\\" } }) { total_entries } }" }) { id body physical_file_path }
      policy: admin_authorization_policy_create(authorization_policy: { name: "closed", content: "false", flash_alert: "No: {{ 1 }}" }) { id name content flash_alert physical_file_path }
      mail: admin_email_notification_create(email_notification: { physical_file_path: "emails/hello.liquid", subject: "Hi: {{ data.name }} # 1", to: "a@example.com", from: "b@example.com", content: "body", cc: "c@example.com", delay_by: "2", trigger_condition: "{% if true %}\\ntrue\\n{% endif %}" }) { id name subject to cc content delay_by trigger_condition }
      sms: admin_sms_notification_create(sms_notification: { physical_file_path: "smses/hello.liquid", to: "+48123456789", content: "text" }) { id name content to }
      call: admin_api_call_notification_create(api_call_notification: { physical_file_path: "api_calls/hello.liquid", to: "https://example.com/", request_type: "POST", request_headers: { Accept: "text/plain" }, content: "{}" }) { id name headers request_type content }
    }`)
    expect(errors).toBeUndefined()
    expect(data).toMatchObject({
      query: { physical_file_path: 'app/graphql/notes.graphql', body: expect.stringContaining('total_entries') },
      policy: {
        name: 'closed',
        content: 'false',
        flash_alert: expect.anything(),
        physical_file_path: 'app/authorization_policies/closed.liquid',
      },
      mail: {
        subject: 'Hi: {{ data.name }} # 1',
        to: 'a@example.com',
        cc: 'c@example.com',
        content: 'body',
        delay_by: '2',
      },
      sms: { to: '+48123456789', content: 'text' },
      call: { request_type: 'POST', content: '{}' },
    })
    const { policy, mail, sms, call } = data ?? {}
    await change(
      'admin_page_update(physical_file_path: "views/pages/first.html.liquid", page: { slug: "first", authorization_policy_ids: ["' +
        policy?.id +
        '"] })',
      'id',
    )
    expect((await shown('/first'))[0]).toMatch(/^403/)
    expect(
      await refusal('admin_authorization_policy_update(id: "5", authorization_policy: { content: "true" })'),
    ).toContain('no authorization policy')
    await change(
      `admin_authorization_policy_update(id: "${policy?.id}", authorization_policy: { content: "true" })`,
      'content',
    )
    expect(await shown('/first')).toEqual(['200 second'])
    const updated = await ask(`mutation {
      query: admin_graphql_update(physical_file_path: "graphql/notes.graphql", graphql: { physical_file_path: "graphql/all/notes.graphql", body: "query { records(per_page: 2) { total_entries } }" }) { body physical_file_path }
      mail: admin_email_notification_update(id: "${mail?.id}", email_notification: { subject: "Bye", cc: null }) { subject cc to content }
      mails: admin_email_notification_update_all(filter: { name: { value: "hello" } }, email_notification: { bcc: "d@example.com" }) { count }
      sms: admin_sms_notification_update(id: "${sms?.id}", sms_notification: { content: "more" }) { content to }
      call: admin_api_call_notification_update(id: "${call?.id}", api_call_notification: { request_type: "PUT" }) { request_type content }
    }`)
    expect(updated).toEqual({
      data: {
        query: {
          body: 'query { records(per_page: 2) { total_entries } }',
          physical_file_path: 'app/graphql/all/notes.graphql',
        },
        mail: { subject: 'Bye', cc: null, to: 'a@example.com', content: 'body' },
        mails: { count: 1 },
        sms: { content: 'more', to: '+48123456789' },
        call: { request_type: 'PUT', content: '{}' },
      },
    })
    expect(
      await refusal(
        `admin_email_notification_update(id: "${mail?.id}", email_notification: { form_configuration_ids: [1] })`,
      ),
    ).toContain('forms name')
    await change(
      'admin_page_update(physical_file_path: "views/pages/first.html.liquid", page: { authorization_policies: null })',
      'id',
    )
    const deleted = await ask(`mutation {
      query: admin_graphql_delete(physical_file_path: "graphql/all/notes.graphql") { body }
      policy: admin_authorization_policy_delete(id: "${policy?.id}") { name }
      mail: admin_email_notification_delete_all(filter: { name: { value: "hello" } }) { count }
      sms: admin_sms_notification_delete(id: "${sms?.id}") { name }
      call: admin_api_call_notification_delete(id: "${call?.id}") { name }
    }`)
    expect(deleted.errors).toBeUndefined()
    expect(deleted.data).toMatchObject({
      policy: { name: 'closed' },
      mail: { count: 1 },
      sms: { name: 'hello' },
      call: { name: 'hello' },
    })
    const left = await ask(
      '{ a: admin_graphql { total_entries } b: admin_sms_notifications { total_entries } c: admin_email_notifications { total_entries } }',
    )
    expect(left.data).toEqual({ a: { total_entries: 0 }, b: { total_entries: 0 }, c: { total_entries: 0 } })
  })
})

describe('tables', () => {
  const firstProperties = async (): Promise<unknown> => {
    const query = '{ records(per_page: 5, filter: { table: { value: "note" } }) { results { properties } } }'
    return (await ask(query)).data?.['records']?.results[0]?.properties
  }

  test('and properties are created, changed and deleted, and keep their data until it is purged', async () => {
    await ask(
      'mutation { record_create(record: { table: "note", properties: [{ name: "title", value: "one" }, { name: "rank", value_int: 5 }] }) { id } }',
    )
    const tables = await ask(
      '{ admin_tables(filter: { name: { value: "note" } }) { results { id properties { id name } } } }',
    )
    const note = tables.data?.['admin_tables']?.results[0]
    const created = await change(
      `admin_property_create(property: { name: "size", attribute_type: float, default_value: "1.5", target_type: ModelSchema, target_id: "${note?.id}" })`,
      'id name attribute_type default_value target_type physical_file_path',
    )
    expect(created).toMatchObject({ name: 'size', attribute_type: 'float', default_value: '1.5', target_type: 'Table' })
    expect(await fileText('app/schema/note.yml')).toBe(
      '# Notes\nname: note\nproperties:\n- name: title # shown\n- name: rank\n  type: integer\n- name: size\n  type: float\n  default_value: 1.5\n',
    )
    expect(
      await change(
        `admin_property_update(id: "${created?.id}", property: { attribute_type: integer, default_value: null })`,
        'name attribute_type default_value',
      ),
    ).toEqual({ name: 'size', attribute_type: 'integer', default_value: null })
    const rank = note?.properties.find(({ name }) => name === 'rank')
    expect(await change(`admin_property_delete(id: "${rank?.id}")`, 'name')).toEqual({ name: 'rank' })
    expect(await firstProperties()).not.toHaveProperty('rank')
    // The data of a deleted property is there again when the property is.
    await change(
      'admin_table_update(physical_file_path: "schema/note.yml", table: { properties: [{ name: "rank", attribute_type: integer }, { name: "size", _destroy: "1" }] })',
      'properties { name }',
    )
    expect(await firstProperties()).toEqual({ title: 'one', rank: 5 })
    expect(await refusal('admin_table_delete(physical_file_path: "schema/note.yml")')).toContain('still has 1 row')
  })

  test('are new, with properties and options, and are deleted when they have no rows', async () => {
    const table = await change(
      `admin_table_create(table: { physical_file_path: "schema/photo.yml", metadata: $metadata, properties: [{ name: "picture", attribute_type: upload, options: { acl: private, content_length: { lte: 5000 }, versions: [{ name: "small", resize: { width: 20, height: 10, position: left_top }, output: { quality: 50 } }] } }, { name: "done", attribute_type: boolean, default_value: "true" }] })`,
      'name metadata records_count_rc properties { name attribute_type default_value options }',
      { metadata: { 'a: b': 'c\nd', no: null, n: [1.5, true, '1.5', 'yes', ''] } },
      '($metadata: HashObject)',
    )
    expect(table).toMatchObject({
      name: 'photo',
      metadata: { 'a: b': 'c\nd', no: null, n: [1.5, true, '1.5', 'yes', ''] },
      records_count_rc: 0,
      properties: [
        { name: 'done', attribute_type: 'boolean', default_value: 'true' },
        { name: 'picture', attribute_type: 'upload', options: expect.objectContaining({ acl: 'private' }) },
      ],
    })
    const made = await ask('mutation { record_create(record: { table: "photo", properties: [] }) { id properties } }')
    expect(made.data).toMatchObject({ record_create: { properties: { done: true } } })
    expect(await refusal('admin_table_delete(physical_file_path: "app/schema/photo.yml")')).toContain('still has 1 row')
    await ask('mutation { records_delete_all(table: "photo") { count } }')
    const gone = await change('admin_table_delete(physical_file_path: "app/schema/photo.yml")', 'name')
    expect(gone).toEqual({ name: 'photo' })
    const none = await ask('{ records(per_page: 1, filter: { table: { value: "photo" } }) { total_entries } }')
    expect(none.errors?.[0]?.message).toContain('photo')
    const again = await change(
      'admin_model_schema_create(model_schema: { physical_file_path: "schema/photo.yml", name: "photo", fields: [{ name: "done", attribute_type: boolean }] })',
      'id name',
    )
    // Deleted rows stay until they are purged, so that they belong to the table again.
    const deleted = 'filter: { table: { value: "photo" }, deleted_at: { exists: true } }'
    const back = await ask(`{ records(per_page: 1, ${deleted}) { total_entries } }`)
    expect(back.data).toEqual({ records: { total_entries: 1 } })
    expect(
      await change(
        `admin_model_schema_update(id: "${again?.id}", model_schema: { fields: [{ name: "more" }] })`,
        'properties { name }',
      ),
    ).toEqual({ properties: [{ name: 'done' }, { name: 'more' }] })
    expect(await change(`admin_model_schema_delete(id: "${again?.id}")`, 'name')).toEqual({ name: 'photo' })
  })

  test('of users get properties without a file', async () => {
    const created = await change(
      'admin_property_create(property: { name: "nick", target_type: User })',
      'id name target_type',
    )
    expect(created).toMatchObject({ name: 'nick', target_type: 'User' })
    expect(await fileText('app/user.yml')).toBe('properties:\n  - name: nick\n')
    expect(await change(`admin_property_delete(id: "${created?.id}")`, 'name')).toEqual({ name: 'nick' })
    expect(await fileText('app/user.yml')).toBe('properties: []\n')
  })

  test('of profiles and their properties have old names, too', async () => {
    const created = await change(
      'admin_user_profile_schema_create(user_profile_schema: { physical_file_path: "user_profile_schemas/seller.yml", name: "seller", properties: [{ name: "shop" }] })',
      'id name properties { name }',
    )
    expect(created).toMatchObject({ name: 'seller', properties: [{ name: 'shop' }] })
    const field = await change(
      `admin_field_create(field: { name: "since", attribute_type: date, target_type: UserProfileSchema, target_id: "${created?.id}" })`,
      'id name target_type physical_file_path',
    )
    expect(field).toMatchObject({ name: 'since', physical_file_path: 'app/user_profile_schemas/seller.yml' })
    expect(await change(`admin_field_update(id: "${field?.id}", field: { name: "from" })`, 'name')).toEqual({
      name: 'from',
    })
    const updated = await change(
      `admin_user_profile_schema_update(id: "${created?.id}", user_profile_schema: { metadata: { a: 1 } })`,
      'metadata properties { id name }',
    )
    expect(updated).toMatchObject({ metadata: { a: 1 }, properties: [{ name: 'from' }, { name: 'shop' }] })
    expect(await change(`admin_field_delete(id: "${updated?.properties[0]?.id}")`, 'name')).toEqual({ name: 'from' })
    expect(await change(`admin_user_profile_schema_delete(id: "${created?.id}")`, 'name')).toEqual({ name: 'seller' })
  })
})

test('assets are moved and deleted, and served where they are', async () => {
  const moved = await change(
    'admin_asset_update(physical_file_path: "assets/one.txt", asset: { physical_file_path: "assets/moved/one.txt" })',
    'name physical_file_path',
  )
  expect(moved).toEqual({ name: 'moved/one.txt', physical_file_path: 'app/assets/moved/one.txt' })
  expect(await shown('/assets/moved/one.txt')).toEqual(['200 one'])
  const filter = 'filter: { name: { starts_with: "deep/" } }'
  expect(await change(`admin_asset_update_all(${filter}, asset: { manually_managed: true })`, 'count')).toEqual({
    count: 1,
  })
  expect((await ask(`mutation { admin_asset_delete_all(${filter}) }`)).data).toEqual({ admin_asset_delete_all: '1' })
  expect(await change('admin_asset_delete(physical_file_path: "app/assets/moved/one.txt")', 'name')).toEqual({
    name: 'moved/one.txt',
  })
  expect((await ask('{ admin_assets { total_entries } }')).data).toEqual({ admin_assets: { total_entries: 0 } })
  expect((await shown('/assets/never.txt'))[0]).toMatch(/^404/)
})

describe('assets', () => {
  interface Uploads {
    readonly urls: readonly { readonly path: string; readonly access_url: string; readonly upload_url: string }[]
  }
  /** Sends the bytes of assets to the addresses that the server gives. */
  async function upload(files: Readonly<Record<string, string | Uint8Array>>, token?: string): Promise<Uploads> {
    const paths = Object.keys(files).map((path) => ({ path }))
    const { data, errors } = await ask(
      'mutation($paths: [AssetPresignInput!]!) { it: admin_assets_presign_urls(paths: $paths) { urls { path access_url upload_url } } }',
      { paths },
      token,
    )
    expect(errors).toBeUndefined()
    const uploads = data?.['it'] as unknown as Uploads
    for (const { path, upload_url } of uploads.urls) {
      const bytes = new Uint8Array(Buffer.from(files[path] ?? ''))
      expect((await fetch(upload_url, { method: 'PUT', body: bytes })).status, path).toBe(200)
    }
    return uploads
  }

  const CREATE = 'mutation($assets: [AssetInput!]!) { it: admin_assets_create(assets: $assets)'

  test('are uploaded and added, also to modules, and replaced', async () => {
    const archive = Buffer.from('PK an archive that is not unpacked')
    const { urls } = await upload({ 'new/a b.txt': 'first', 'modules/extra/c.css': 'p{}', 'files/x.zip': archive })
    expect(urls.map(({ access_url }) => access_url.replace(instance.url, ''))).toEqual([
      '/assets/new/a%20b.txt',
      '/assets/modules/extra/c.css',
      '/assets/files/x.zip',
    ])
    // Nothing is served before it is a part of the site.
    expect((await shown('/assets/new/a%20b.txt'))[0]).toMatch(/^404/)
    const assets = [
      {
        name: 'new/a b.txt',
        physical_file_path: 'app/assets/new/a b.txt',
        file_size: 5,
        url: 'https://elsewhere.example/',
      },
      { name: 'modules/extra/c.css', physical_file_path: 'extra/public/assets/c.css', manually_managed: true },
      { name: 'files/x.zip', physical_file_path: 'assets/files/x.zip', metadata: {} },
    ]
    const created = await ask(`${CREATE} { assets { name physical_file_path file_size } } }`, { assets })
    expect(created.errors).toBeUndefined()
    expect(created.data?.['it']).toEqual({
      assets: [
        { name: 'new/a b.txt', physical_file_path: 'app/assets/new/a b.txt', file_size: 5 },
        { name: 'modules/extra/c.css', physical_file_path: 'modules/extra/public/assets/c.css', file_size: 3 },
        { name: 'files/x.zip', physical_file_path: 'app/assets/files/x.zip', file_size: archive.length },
      ],
    })
    expect(await shown('/assets/new/a%20b.txt')).toEqual(['200 first'])
    expect(await shown('/assets/modules/extra/c.css')).toEqual(['200 p{}'])
    await upload({ 'new/a b.txt': 'second' })
    const again = await ask(`${CREATE} { assets { file_size } } }`, { assets: [{ ...assets[0], file_size: 6 }] })
    expect(again.errors).toBeUndefined()
    expect(await shown('/assets/new/a%20b.txt')).toEqual(['200 second'])
  })

  test('that were not uploaded, have another size, or no place are refused, with all others', async () => {
    await upload({ 'good.txt': 'good' })
    const good = { name: 'good.txt', physical_file_path: 'assets/good.txt' }
    for (const [bad, reason] of [
      [{ name: 'never.txt', physical_file_path: 'assets/never.txt' }, /`never.txt` was not uploaded: send it/],
      [{ ...good, file_size: 3 }, /has 4 bytes, not 3/],
      [{ ...good, physical_file_path: 'views/pages/index.liquid' }, /must be in the folder `assets`/],
      [{ ...good, physical_file_path: 'assets/../../etc/passwd' }, /leads out of the site/],
      [{ ...good, cache_control: 'no-store' }, /`cache_control` is refused/],
    ] as const) {
      const { errors } = await ask(`${CREATE} { assets { name } } }`, { assets: [good, bad] })
      expect(errors?.[0]?.message).toMatch(reason)
    }
    expect((await shown('/assets/good.txt'))[0]).toMatch(/^404/)
    const hostile = await ask(
      'mutation { admin_assets_presign_urls(paths: [{ path: "../x" }]) { urls { upload_url } } }',
    )
    expect(hostile.errors?.[0]?.message).toContain('`path` is refused')
  })

  test('are listed in files, which a token of the scope deploy may read', async () => {
    const { token } = await createToken(ground.ingot.database.sql, 'deploy', 'deploy')
    await upload({ 'listed.txt': 'x' }, token)
    const assets = [
      { name: 'listed.txt', physical_file_path: 'assets/listed.txt' },
      { name: 'listed.txt', physical_file_path: 'modules/extra/private/assets/hidden.txt' },
    ]
    expect((await ask(`${CREATE} { assets { name } } }`, { assets }, token)).errors).toBeUndefined()
    const { data } = await ask('mutation { it: admin_assets_listing_create { id created_at } }', {}, token)
    const { id = '' } = data?.['it'] ?? {}
    const listing = await ask(
      `{ it: admin_assets_listing(id: "${id}") { id status created_at public_assets_url private_assets_url } }`,
      {},
      token,
    )
    expect(listing.data?.['it']).toMatchObject({ id, status: 'success' })
    const { public_assets_url, private_assets_url } = Object(listing.data?.['it']) as Record<string, string>
    const read = async (url = ''): Promise<unknown> => (await fetch(url)).json()
    expect(await read(public_assets_url)).toMatchObject({
      'listed.txt': { physical_file_path: 'app/assets/listed.txt', file_size: 1 },
    })
    expect(Object.keys(Object(await read(private_assets_url)))).toEqual(['modules/extra/hidden.txt'])
    expect(
      (await ask(`{ admin_assets_listing(id: "${id.replace(/./g, '0')}") { id } }`)).errors?.[0]?.message,
    ).toContain('There is no list of assets')
    const { token: reader } = await createToken(ground.ingot.database.sql, 'read', 'read')
    expect(JSON.stringify(await ask('mutation { admin_assets_listing_create { id } }', {}, reader))).toContain(
      'needs a token with the scope deploy or admin',
    )
  })
})

test('forms are created, changed, moved and deleted, and submitted', async () => {
  const created = await change(
    'admin_form_create(form: { physical_file_path: "forms/contact.liquid", resource: "note", resource_owner: "anyone", configuration: $fields, liquid_body: "{% form %}send{% endform %}", async_callback_actions: "{% log 1 %}", async_callback_delay: "5", redirect_to: "/done", spam_protection: { recaptcha_v3: { action: "contact", minimum_score: 0.7 } } })',
    'id name resource resource_owner fields redirect_to liquid_body async_callback_actions async_callback_delay spam_protection',
    { fields: { properties: { title: { validation: { presence: true } } } } },
    '($fields: HashObject)',
  )
  expect(created).toMatchObject({
    name: 'contact',
    resource: 'note',
    resource_owner: 'anyone',
    fields: { properties: { title: { validation: ['presence'] } } },
    redirect_to: '/done',
    async_callback_delay: '5',
  })
  await change(
    `admin_page_create(page: { physical_file_path: "views/pages/contact.liquid", content: "{% include_form 'contact' %}", layout: "" })`,
    'id',
  )
  expect((await shown('/contact'))[0]).toContain('send</form>')
  const updated = await change(
    `admin_form_update(id: "${created?.id}", form: { liquid_body: "{% form %}new{% endform %}", async_callback_actions: null, async_callback_delay: null, flash_notice: "Sent" })`,
    'resource fields flash_notice async_callback_delay',
  )
  expect(updated).toMatchObject({ resource: 'note', flash_notice: 'Sent', async_callback_delay: null })
  expect((await shown('/contact'))[0]).toContain('new</form>')
  const filter = 'filter: { name: { value: "contact" } }'
  expect(await change(`admin_form_update_all(${filter}, form: { flash_alert: "No" })`, 'count')).toEqual({ count: 1 })
  const moved = await change(
    'admin_form_update(physical_file_path: "forms/contact.liquid", form: { physical_file_path: "forms/deep/contact.liquid", name: "contact" })',
    'id physical_file_path flash_alert',
  )
  expect(moved).toMatchObject({ physical_file_path: 'app/forms/deep/contact.liquid', flash_alert: 'No' })
  await change('admin_page_delete(physical_file_path: "views/pages/contact.liquid")', 'id')
  expect(await change(`admin_form_delete(id: "${moved?.id}")`, 'name')).toEqual({ name: 'contact' })
  expect(await change(`admin_form_delete_all(${filter})`, 'count')).toEqual({ count: 0 })
})
