/** Statements of a distributed site. For each statement, lists the expected class, and words of the expected reason. */
import type { Class } from '../../compiler/tools/distribution/verdict.ts'

export interface ClassifiedExample {
  readonly is: Class
  readonly description: string
  readonly document: string
}

const table = (name: string, ...properties: readonly string[]): string =>
  `name: ${name}\nproperties:\n${properties.map((each) => `  - name: ${each.split(' ')[0]}\n    type: ${each.split(' ')[1] ?? 'string'}\n${each.includes('=') ? `    default_value: ${each.split('=')[1]}\n` : ''}`).join('')}`

/** `order`, `item`, `note` and `ticket` have an organization. `country` is a reference table. */
export const SITE: Readonly<Record<string, string>> = {
  'app/schema/order.yml': table('order', 'org_id', 'number', 'total float', 'country_id', 'item_ids array'),
  'app/schema/item.yml': table('item', 'org_id', 'order_id', 'title'),
  'app/schema/note.yml': table('note', 'org_id', 'item_id', 'text'),
  'app/schema/ticket.yml': table('ticket', 'org_id string =public', 'title'),
  'app/schema/country.yml': table('country', 'code', 'title'),
  'app/forms/order_form.liquid':
    '---\nname: order_form\nresource: order\nfields:\n  properties:\n    number:\n---\n<input name="{{ form.fields.properties.number.name }}">\n',
  'app/views/pages/index.liquid': 'Hello',
}

const oneShard = (description: string, document: string): ClassifiedExample => ({
  is: 'one shard',
  description,
  document,
})
const colocatedJoin = (description: string, document: string): ClassifiedExample => ({
  is: 'colocated join',
  description,
  document,
})
const allShards = (description: string, document: string): ClassifiedExample => ({
  is: 'all shards',
  description,
  document,
})
const impossible = (description: string, document: string): ClassifiedExample => ({
  is: 'impossible',
  description,
  document,
})

/** Returns arguments that select rows of a table by conditions on its properties. */
const where = (name: string, ...properties: readonly string[]): string =>
  `filter: { table: { value: "${name}" }, properties: [${properties.join(', ')}] }, per_page: 20`
const ORG = '{ name: "org_id", value: $org }'
const ON_ORG = 'join_on_property: "org_id", foreign_property: "org_id"'

export const BY_ORGANISATION: Readonly<Record<string, ClassifiedExample>> = {
  routed: oneShard('`org_id` = `$org`', `query($org: String!) { records(${where('order', ORG)}) { results { id } } }`),
  literal: oneShard('`"a"`', `{ records(${where('order', '{ name: "org_id", value: "a" }')}) { total_entries } }`),
  among_one: oneShard(
    '`$org`',
    `query($org: String!) { records(${where('order', '{ name: "org_id", value_in: [$org] }')}) { results { id } } }`,
  ),
  with_default: oneShard('`$org`', `query($org: String = "a") { records(${where('order', ORG)}) { results { id } } }`),
  nullable: allShards(
    'may be omitted. Declare `$org`',
    `query($org: String) { records(${where('order', ORG)}) { results { id } } }`,
  ),
  in_an_object: allShards(
    'no condition',
    `query($filter: RecordsFilterInput) { records(filter: $filter, per_page: 5) { results { id } } }`,
  ),
  among_many: allShards(
    'any of several values',
    `query($orgs: [String!]!) { records(${where('order', '{ name: "org_id", value_in: $orgs }')}) { results { id } } }`,
  ),
  not_equal: allShards(
    'no condition',
    `{ records(${where('order', '{ name: "org_id", not_value: "a" }')}) { results { id } } }`,
  ),
  from: allShards(
    'no condition',
    `{ records(${where('order', '{ name: "org_id", range: { gte: "a" } }')}) { results { id } } }`,
  ),
  by_id: allShards(
    'Filter by `org_id`',
    `query($id: ID!) { records(filter: { table: { value: "order" }, id: { value: $id } }, per_page: 1) { results { id } } }`,
  ),
  no_table: allShards('no table is named', `{ records(per_page: 5) { results { id } } }`),
  no_table_routed: oneShard(
    '`$org`',
    `query($org: String!) { records(filter: { properties: [${ORG}] }, per_page: 5) { results { id } } }`,
  ),
  in_one_branch: allShards(
    'always holds',
    `query($org: String!) { records(filter: { table: { value: "order" }, or: [{ properties: [${ORG}] }, { properties: [{ name: "number", value: "1" }] }] }, per_page: 5) { results { id } } }`,
  ),
  in_the_only_branch: oneShard(
    '`$org`',
    `query($org: String!) { records(filter: { table: { value: "order" }, or: [{ properties: [${ORG}] }] }, per_page: 5) { results { id } } }`,
  ),
  sorted: allShards(
    'no condition',
    `{ records(filter: { table: { value: "order" } }, per_page: 10, page: 3, sort: [{ properties: { name: "total", order: DESC } }]) { total_entries has_next_page results { id } } }`,
  ),
  counted: allShards(
    'no condition',
    `{ customizations(model_schema: { name: "order" }, aggregations: [{ fields: [{ name: "number" }] }]) { aggregations { raw } } }`,
  ),
  of_country: oneShard(
    'Every node has a copy: `country`',
    `{ records(filter: { table: { value: "country" } }, per_page: 9) { results { id } } }`,
  ),
  with_country: allShards(
    'Filter by `org_id`',
    `{ records(filter: { table: { value: "order" } }, per_page: 9) { results { related_record(table: "country", join_on_property: "country_id") { id } related_user { id } } } }`,
  ),
  of_each_country: impossible(
    '`order` is distributed and looked up for each row of `country`',
    `{ records(filter: { table: { value: "country" } }, per_page: 9) { results { related_records(table: "order", join_on_property: "id", foreign_property: "country_id") { id } } } }`,
  ),
  of_each_country_routed: oneShard(
    '`$org`',
    `query($org: String!) { records(filter: { table: { value: "country" } }, per_page: 9) { results { related_records(table: "order", filter: { properties: [${ORG}] }, join_on_property: "id", foreign_property: "country_id") { id } } } }`,
  ),
  colocated: colocatedJoin(
    '`item` with `order`',
    `{ records(filter: { table: { value: "order" } }, per_page: 9) { results { related_records(table: "item", ${ON_ORG}) { id } } } }`,
  ),
  two_deep: colocatedJoin(
    '`note` with `item`',
    `{ records(filter: { table: { value: "order" } }, per_page: 9) { results { related_records(table: "item", ${ON_ORG}) { related_records(table: "note", ${ON_ORG}) { id } } } } }`,
  ),
  two_deep_apart: impossible(
    '`note` is joined with `item` on `item_id` = `id`',
    `{ records(filter: { table: { value: "order" } }, per_page: 9) { results { related_records(table: "item", ${ON_ORG}) { related_records(table: "note", join_on_property: "id", foreign_property: "item_id") { id } } } } }`,
  ),
  two_deep_routed: oneShard(
    'this follows from the join',
    `query($org: String!) { records(${where('order', ORG)}) { results { related_records(table: "item", ${ON_ORG}) { related_records(table: "note", ${ON_ORG}) { id } } } } }`,
  ),
  on_id: impossible(
    'joined with `order` on `order_id` = `id`, not on `org_id`',
    `{ records(filter: { table: { value: "order" } }, per_page: 9) { results { related_records(table: "item", join_on_property: "id", foreign_property: "order_id") { id } } } }`,
  ),
  on_id_half_routed: impossible(
    'filter both by one value of `org_id`',
    `query($org: String!) { records(${where('order', ORG)}) { results { related_records(table: "item", join_on_property: "id", foreign_property: "order_id") { id } } } }`,
  ),
  on_id_routed: oneShard(
    '`$org`',
    `query($org: String!) { records(${where('order', ORG)}) { results { related_records(table: "item", filter: { properties: [${ORG}] }, join_on_property: "id", foreign_property: "order_id") { id } } } }`,
  ),
  on_id_routed_apart: impossible(
    'are in different shards',
    `query($org: String!, $other: String!) { records(${where('order', ORG)}) { results { related_records(table: "item", filter: { properties: [{ name: "org_id", value: $other }] }, join_on_property: "id", foreign_property: "order_id") { id } } } }`,
  ),
  only_below_routed: colocatedJoin(
    'no condition on `org_id`',
    `query($org: String!) { records(filter: { table: { value: "order" } }, per_page: 9) { results { related_records(table: "item", filter: { properties: [${ORG}] }, ${ON_ORG}) { id } } } }`,
  ),
  through_a_list: impossible(
    'through a list',
    `{ records(filter: { table: { value: "order" } }, per_page: 9) { results { related_records(table: "item", join_on_property: "item_ids", foreign_property: "id") { id } } } }`,
  ),
  included: impossible(
    'on `order_id` = `id`',
    `query($deep: Boolean!) { records(filter: { table: { value: "order" } }, per_page: 9) { results { id related_records(table: "item", join_on_property: "id", foreign_property: "order_id") @include(if: $deep) { id } } } }`,
  ),
  with_such: colocatedJoin(
    '`item` with `order`',
    `{ records(filter: { table: { value: "order" }, related_records: [{ join: { foreign_property: "org_id", join_on_property: "org_id" }, filter: { table: { value: "item" }, properties: [{ name: "title", value: "tea" }] } }] }, per_page: 9) { results { id } } }`,
  ),
  with_such_routed: oneShard(
    '`$org`',
    `query($org: String!) { records(filter: { table: { value: "order" }, related_records: [{ join: { foreign_property: "org_id", join_on_property: "org_id" }, filter: { table: { value: "item" }, properties: [${ORG}] } }] }, per_page: 9) { results { id } } }`,
  ),
  with_such_or_another: colocatedJoin(
    'no condition on `org_id`',
    `query($org: String!) { records(filter: { table: { value: "order" }, or: [{ related_records: [{ join: { foreign_property: "org_id", join_on_property: "org_id" }, filter: { table: { value: "item" }, properties: [${ORG}] } }] }, { properties: [{ name: "number", value: "1" }] }] }, per_page: 9) { results { id } } }`,
  ),
  with_such_apart: impossible(
    '`item` is joined with `order`',
    `{ records(filter: { table: { value: "order" }, related_records: [{ join: { foreign_property: "order_id", join_on_property: "id" }, filter: { table: { value: "item" } } }] }, per_page: 9) { results { id } } }`,
  ),
  create: oneShard(
    'The new row has `org_id` = `$org`',
    `mutation($org: String!) { record_create(record: { table: "order", properties: [${ORG}] }) { id } }`,
  ),
  create_with_default: oneShard(
    '`"public"`',
    `mutation { record_create(record: { table: "ticket", properties: [{ name: "title", value: "a" }] }) { id } }`,
  ),
  create_without: impossible(
    'gets no value of `org_id`',
    `mutation { record_create(record: { table: "order", properties: [{ name: "number", value: "1" }] }) { id } }`,
  ),
  create_perhaps_without: impossible(
    '`$org` may be omitted',
    `mutation($org: String) { record_create(record: { table: "order", properties: [${ORG}] }) { id } }`,
  ),
  create_of_variable: oneShard(
    'must contain `org_id`',
    `mutation($record: RecordInputType!) { record_create(record: $record) { id } }`,
  ),
  create_of_properties: oneShard(
    'must contain `org_id`',
    `mutation($all: [PropertyInputType!]!) { record_create(record: { table: "order", properties: $all }) { id } }`,
  ),
  create_by_form: allShards(
    'A form writes the rows',
    `mutation($org: String!) { record_create(form_name: "order_form", record: { table: "country", properties: [${ORG}] }) { id } }`,
  ),
  create_below: oneShard(
    '`$org`',
    `mutation($org: String!) { record_create(record: { table: "order", properties: [${ORG}], records: [{ table: "item", values: { properties: [${ORG}] } }] }) { id } }`,
  ),
  create_below_apart: allShards(
    'different values',
    `mutation($org: String!, $other: String!) { record_create(record: { table: "order", properties: [${ORG}], records: [{ table: "item", values: { properties: [{ name: "org_id", value: $other }] } }] }) { id } }`,
  ),
  create_many: allShards(
    'come from a variable',
    `mutation($records: [RecordsCreateInputType!]!) { records_create_rc(records: $records) { id } }`,
  ),
  create_country: oneShard(
    'Writes a reference table, on every node: `country`',
    `mutation { record_create(record: { table: "country", properties: [{ name: "code", value: "pl" }] }) { id } }`,
  ),
  update: allShards(
    'Changes `order` in all shards',
    `mutation($id: ID!) { record_update(id: $id, record: { table: "order", properties: [{ name: "number", value: "2" }] }) { id } }`,
  ),
  update_of_variable: allShards(
    'must not change `org_id`',
    `mutation($id: ID!, $record: RecordInputType!) { record_update(id: $id, record: $record) { id } }`,
  ),
  update_column: impossible(
    'would change `org_id`',
    `mutation($id: ID!, $org: String!) { record_update(id: $id, record: { table: "order", properties: [${ORG}] }) { id } }`,
  ),
  update_all: oneShard(
    '`$org`',
    `mutation($org: String!) { records_update_all(table: "order", filter: { properties: [${ORG}] }, record: { properties: [{ name: "number", value: "2" }] }) { count } }`,
  ),
  update_to_the_same: oneShard(
    '`$org`',
    `mutation($org: String!) { records_update_all(table: "order", filter: { properties: [${ORG}] }, record: { properties: [${ORG}] }) { count } }`,
  ),
  move: impossible(
    'would move to `country`',
    `mutation($org: String!) { records_update_all(table: "order", filter: { properties: [${ORG}] }, record: { table: "country" }) { count } }`,
  ),
  delete: allShards(
    'Changes `order` in all shards',
    `mutation($id: ID!) { record_delete(table: "order", id: $id) { id } }`,
  ),
  delete_all: allShards(
    'always holds',
    `mutation { records_delete_all(table: "order", filter: { properties: [{ name: "number", value: "1" }] }) { count } }`,
  ),
  delete_upload: impossible(
    'for update',
    `mutation($id: ID!) { upload_delete(upload_object_type: Record, upload_object_id: $id, delete_all_properties: true) { upload_object_id } }`,
  ),
  of_me: oneShard('Every node has a copy: profiles, users', `{ current_user { id profiles { id } } }`),
  constant: oneShard("Uses only Ingot's internal tables", `{ constants { results { name } } }`),
}

const ON_USER = 'join_on_property: "user_id", foreign_property: "user_id"'

export const BY_USER: Readonly<Record<string, ClassifiedExample>> = {
  mine: oneShard(
    '`user_id` = the signed-in user',
    `{ current_user { related_records(table: "order", join_on_property: "id", foreign_property: "user_id") { id } } }`,
  ),
  of_user: oneShard(
    '`$id`',
    `query($id: ID!) { user(id: $id) { related_records(table: "order", join_on_property: "id", foreign_property: "user_id") { id } } }`,
  ),
  of_profile: oneShard(
    '`$id`',
    `query($id: ID!) { users(filter: { id: { value: $id } }, per_page: 1) { results { profiles { related_records(table: "order", join_on_property: "user_id", foreign_property: "user_id") { id } } } } }`,
  ),
  of_each_user: impossible(
    '`order` is distributed and looked up for each row of users',
    `{ users(per_page: 9) { results { related_records(table: "order", join_on_property: "id", foreign_property: "user_id") { id } } } }`,
  ),
  all_users: oneShard(
    'Every node has a copy: profiles, users',
    `{ users(filter: { profiles: [{ name: "default" }] }, per_page: 9) { results { profiles { id } } } }`,
  ),
  by_email: oneShard(
    'users',
    `query($email: String!) { users(filter: { email: { value: $email } }, per_page: 1) { results { id } } }`,
  ),
  records: oneShard(
    '`$id`',
    `query($id: ID!) { records(filter: { user_id: { value: $id } }, per_page: 9) { results { user { name } } } }`,
  ),
  records_of_any: allShards(
    '`$id`, which may be omitted',
    `query($id: ID) { records(filter: { user_id: { value: $id } }, per_page: 9) { results { id } } }`,
  ),
  records_with_users: allShards(
    'no condition',
    `{ records(per_page: 9) { results { user { name profiles { id } } } } }`,
  ),
  colocated: colocatedJoin(
    '`item` with `order`',
    `{ records(filter: { table: { value: "order" } }, per_page: 9) { results { related_records(table: "item", ${ON_USER}) { id } } } }`,
  ),
  apart: impossible(
    'not on `user_id`',
    `{ records(filter: { table: { value: "order" } }, per_page: 9) { results { related_records(table: "item", ${ON_ORG}) { id } } } }`,
  ),
  create: oneShard('`$me`', `mutation($me: ID!) { record_create(record: { table: "order", user_id: $me }) { id } }`),
  create_of_nobody: impossible(
    'gets no value of `user_id`',
    `mutation { record_create(record: { table: "order" }) { id } }`,
  ),
  give_away: impossible(
    'would change `user_id`',
    `mutation($id: ID!, $to: ID!) { record_update(id: $id, record: { table: "order", user_id: $to }) { id } }`,
  ),
  sign_up: oneShard(
    'on every node: users',
    `mutation($email: String!) { user_create(user: { email: $email, password: "secret-1" }) { id profiles { id } } }`,
  ),
  rename_all: oneShard(
    'on every node: users',
    `mutation { users_update_all(filter: { name: { value: "a" } }, user: { name: "b" }) { count } }`,
  ),
}
