/** The guide to queries. Its tables of operators, sorts and arguments are read from the schema. */
import { type GraphQLArgument, type GraphQLInputField, isInputObjectType } from 'graphql'
import { schema } from '../../../../runtime/data/query/index.ts'
import type { Block, Row } from '../entry.ts'
import { files, guide, list, page, part, shell, text } from './guide.ts'

/** Meanings of the keys of filters and sorts, and of arguments. Names that the schema lacks fail a test. @internal Exported for tests. */
export const MEANINGS: Readonly<Record<string, string>> = {
  allow_empty: 'With `value_in: []`: filters nothing. Without it, nothing matches.',
  array_contains: 'All of these texts are in the array.',
  array_overlaps: 'At least one of these texts is in the array.',
  case_sensitive: '`contains`, `starts_with` and `ends_with` distinguish upper and lower case.',
  contains: 'The text contains this text.',
  distance_sphere: 'The point is within a distance of another one.',
  ends_with: 'The text ends with this text.',
  exact: 'The text is exactly this one.',
  exists: 'There is a value (`true`), or none (`false`).',
  is_null: 'There is no value (`true`), or one (`false`).',
  gt: 'Greater, or later.',
  gte: 'Greater or equal, or not earlier.',
  lt: 'Less, or earlier.',
  lte: 'Less or equal, or not later.',
  name: 'The name of the property.',
  order: '`ASC` or `DESC`.',
  order_by_values: 'The values in the wanted order.',
  property_type: 'Compares as this type instead of the declared one.',
  range: 'Between bounds: `gt`, `gte`, `lt`, `lte`, compared as the declared type.',
  starts_with: 'The text begins with this text.',
  value: 'Equal. A property is compared as its declared type.',
  value_array: 'The array has exactly these texts.',
  value_boolean: 'Equal to `true` or `false`.',
  value_float: 'Equal to this number.',
  value_in: 'One of these values.',
  value_int: 'Equal to this whole number.',
  within_radius: 'The point is within a radius that another property of the row has.',
  filter: 'Which rows.',
  options: '`timeout` in seconds; `read_replica` reads from a replica.',
  page: 'The page, from 1.',
  per_page: 'The number of rows on a page.',
  sort: 'In which order. Without it, by id.',
  id: 'The id of the row.',
  form_name: 'A form whose fields, validations and notifications apply.',
  record: 'The values to write.',
  table: 'The table.',
  any_table: 'Deletes in all tables.',
  sync: 'Completes the change before the answer. Here it always does.',
  records: 'The rows to write, each with `table` and `properties`.',
}

/** Returns the meaning of a key; `not_…` negates. */
function meaningOf({ name, description }: GraphQLInputField | GraphQLArgument): string {
  const positive = name.startsWith('not_') ? name.slice('not_'.length) : null
  if (positive !== null) return `Not \`${positive}\`.`
  return MEANINGS[name] ?? description ?? ''
}

function rowOf(each: GraphQLInputField | GraphQLArgument): Row {
  return { name: each.name, type: `\`${String(each.type)}\``, description: meaningOf(each) }
}

/** The keys of an input type. @throws Error if the schema has no such input type */
function inputTable(title: string, name: string): Block {
  const type = schema().getType(name)
  if (!isInputObjectType(type)) throw new Error(`The schema has no input type ${name}`)
  return {
    kind: 'rows',
    title,
    columnTitles: ['Key', 'Type', 'Meaning'],
    rows: Object.values(type.getFields()).map(rowOf),
  }
}

/** The arguments of a field of the root types. @throws Error if the schema has no such field */
function argumentTable(name: string): Block {
  const field = schema().getQueryType()?.getFields()[name] ?? schema().getMutationType()?.getFields()[name]
  if (field === undefined) throw new Error(`The schema has no field ${name}`)
  return {
    kind: 'rows',
    title: `${name}: arguments`,
    columnTitles: ['Argument', 'Type', 'Meaning'],
    rows: field.args.map(rowOf),
  }
}

export const graphql = guide('graphql', {
  name: 'Queries and changes: GraphQL',
  summary: 'Read, filter, sort and page through rows, and change one or many of them.',
  words:
    'query select get find search rows records where condition count update delete insert create mutation sql crud',
  blocks: [
    part('Read rows', 'query select get find fetch list'),
    text(
      'A query is a file in `app/graphql`. The tag `graphql` runs it and keeps the result; arguments become variables. Fields of a property are named after the type to read: `property` for text, `property_int`, `property_float`, `property_boolean`, `property_array`, `property_json`, `property_upload`.',
    ),
    page(
      {
        'app/graphql/dishes/search.graphql': `query search($name: String, $page: Int = 1) {
  records(
    per_page: 20
    page: $page
    filter: { table: { value: "dish" }, properties: [{ name: "name", contains: $name }] }
    sort: [{ properties: [{ name: "price", order: ASC }] }]
  ) {
    total_entries
    results { id name: property(name: "name") price: property_int(name: "price") }
  }
}
`,
        'app/views/pages/search.liquid': `{% graphql found = 'dishes/search', name: context.params.name %}
{{ found.records.total_entries }} dishes
{% for dish in found.records.results %}<li><a href="/dishes/{{ dish.id }}">{{ dish.name }}</a> {{ dish.price }}</li>{% endfor %}
`,
      },
      '/search?name=soup',
      `1 dishes
<li><a href="/dishes/…">Tomato soup</a> 6</li>`,
    ),
    list(
      'A field, argument or table that does not exist is a compile error with its line. So is a required variable that is not passed. A property that no table declares, a variable that the query does not declare, and a misspelled key such as `dish.nmae` are nil or ignored, so they are warnings. Ingot follows values through assigns, loops, filters, partials and functions. The message shows the line of the query. A query in a loop is reported with the calls that lead to it.',
      "A query is one SQL statement, however deep its relations are. The database builds the answer's JSON. Values are always bound parameters, and a condition whose value is nil is left out: `/search` without `name` finds all dishes.",
      'A variable that is not passed, or nil, takes its default.',
    ),
    part('Filter', 'where condition operator compare and or contains range'),
    text(
      'All keys of a filter hold together. `or` is a list of filters of which at least one holds. Conditions on properties:',
    ),
    inputTable('Conditions on a property', 'PropertyFilterInput'),
    inputTable('Conditions on a text: table, external_id, email', 'StringFilter'),
    inputTable('Conditions on an id', 'UniqIdFilter'),
    inputTable('Conditions on a time: created_at, updated_at, deleted_at', 'DateFilter'),
    inputTable('Keys of the filter of records', 'RecordsFilterInput'),
    text(
      '`related_records` in a filter keeps rows that have a matching row in another table: `related_records: [{ join: { join_on_property: "id", foreign_property: "dish_id" }, filter: { table: { value: "review" } } }]`.',
    ),
    part('Sort', 'order by random newest first'),
    text(
      '`sort` is a list; later entries decide between equal rows, and at last the id. Numbers sort as numbers. Rows without a value are last for `ASC` and first for `DESC`.',
    ),
    inputTable('Keys of a sort of records', 'RecordsSortInput'),
    inputTable('Order of a column', 'StandardSort'),
    inputTable('Order of a property', 'PropertySort'),
    argumentTable('records'),
    part('Pagination: split a list into pages', 'paginate page per_page next previous total'),
    text(
      '`per_page` is required. `total_pages`, `has_next_page`, `has_previous_page` and `current_page` are fields beside `results`; `total_entries` and `total_pages` cost a count only when they are selected.',
    ),
    page(
      {
        'app/graphql/dishes/paged.graphql': `query paged($page: Int = 1) {
  dishes: records(per_page: 2, page: $page, filter: { table: { value: "dish" } }, sort: [{ id: { order: ASC } }]) {
    current_page
    total_pages
    has_next_page
    results {
      name: property(name: "name")
    }
  }
}
`,
        'app/views/pages/all-dishes.liquid': `{% liquid
  assign page = context.params.page | default: 1 | floor | at_least: 1
  graphql found = 'dishes/paged', page: page
  assign dishes = found.dishes
%}
{% for dish in dishes.results %}<p>{{ dish.name }}</p>{% endfor %}
Page {{ dishes.current_page }} of {{ dishes.total_pages }}
{% if dishes.has_next_page %}<a rel="next" href="/all-dishes?page={{ page | plus: 1 }}">Next</a>{% endif %}
`,
      },
      '/all-dishes?page=2',
      `<p>Plum cake</p>
Page 2 of 2`,
    ),
    part('Count rows', 'count total number how many'),
    text('Select only `total_entries`:'),
    page(
      {
        'app/graphql/dishes/count.graphql': `query count($most: String) {
  dishes: records(
    per_page: 1
    filter: { table: { value: "dish" }, properties: [{ name: "price", range: { lte: $most } }] }
  ) {
    total_entries
  }
}
`,
        'app/views/pages/cheap.liquid': `{% graphql cheap = 'dishes/count', most: '6' %}
{{ cheap.dishes.total_entries }} cheap dishes
`,
      },
      '/cheap',
      '2 cheap dishes',
    ),
    part('Create, change and delete a row', 'insert update delete mutation save write'),
    text(
      'Changes are mutations: `record_create`, `record_update`, `record_delete`. A property that is not named keeps its value, and `value: null` clears it. The mutations of one operation are one transaction. Call them from pages that answer POST, PUT or DELETE: `ingot check` warns about changes on GET, and about pages that change rows for anyone. The policy `logged_in` is in [Forms](guides/forms.html#who-may-send-a-form).',
    ),
    argumentTable('record_create'),
    argumentTable('record_update'),
    argumentTable('record_delete'),
    text(
      'Values: `value`, `value_int`, `value_float`, `value_boolean`, `value_array`, `value_json`, `value_upload`. `increment`, `decrement`, `array_append` and `array_remove` change the stored value in one statement, so that no visitor overwrites the change of another:',
    ),
    files({
      'app/graphql/dishes/take.graphql': `mutation take($id: ID!) {
  dish: record_update(id: $id, record: { table: "dish", properties: [{ name: "stock", decrement: 1 }] }) {
    id
    stock: property_int(name: "stock")
  }
}
`,
    }),
    part('Lock a row', 'lock transaction concurrent race condition at once atomic rollback for update'),
    text(
      'A change locks its row until the transaction ends. So change the row first, inside `transaction`, and decide by what the change returns: whoever comes at the same time waits, and then sees the new value. `rollback` undoes all changes of the block and continues after it.',
    ),
    files({
      'app/views/pages/orders/create.liquid': `---
slug: orders
method: post
authorization_policies: [logged_in]
---
{% liquid
  assign sold_out = false
  transaction timeout: 5
    graphql taken = 'dishes/take', id: context.params.dish
    if taken.dish.stock < 0
      assign sold_out = true
      rollback
    endif
  endtransaction
%}
{% if sold_out %}
  {% response_status 409 %}
  <p>Sold out.</p>
{% else %}
  <p>It is yours.</p>
{% endif %}
`,
    }),
    text(
      '`transaction` makes one transaction of all changes in its body: in queries, forms, partials and jobs. An error, the end of its `timeout` (seconds) or `rollback` undoes it. After `rollback`, rendering continues after the block, and variables keep their values. Nested blocks join the outer one. An error that `try` catches inside undoes only its own statement. With `liquid_raise_mode: false` errors are printed in place, and an error in a transaction still undoes it.',
    ),
    part('Change or delete many rows', 'bulk update many all records delete_all batch'),
    text(
      '`records_update_all` and `records_delete_all` take a filter and return the number of rows. `records_create_rc` creates many rows in one statement.',
    ),
    argumentTable('records_update_all'),
    argumentTable('records_delete_all'),
    argumentTable('records_create_rc'),
    files({
      'app/graphql/dishes/refill.graphql': `mutation refill($stock: Int!) {
  dishes: records_update_all(
    table: "dish"
    filter: { properties: [{ name: "stock", range: { lte: "0" } }] }
    record: { properties: [{ name: "stock", value_int: $stock }] }
  ) {
    count
  }
}
`,
      'app/views/pages/refill.liquid': `---
method: post
authorization_policies: [logged_in]
---
{% graphql filled = 'dishes/refill', stock: 10 %}
{{ filled.dishes.count }} dishes are available again.
`,
    }),
    part('Errors', 'error fail try catch raise'),
    text(
      'A query that fails at run time (a value of a wrong type, a row that does not exist, a refused value) gives a result with `errors`, and the log has the entry. With `liquid_raise_mode: true` in `app/config.yml` it is an error that ends the page, or that `try` catches. Mistakes in the query itself are compile errors.',
    ),
    files({
      'app/graphql/dishes/remove.graphql': `mutation remove($id: ID!) {
  dish: record_delete(table: "dish", id: $id) {
    id
  }
}
`,
      'app/views/pages/dishes/remove.liquid': `---
slug: dishes/:id/remove
method: post
authorization_policies: [logged_in]
---
{% graphql removed = 'dishes/remove', id: context.params.id %}
{% if removed.errors %}
  {% response_status 404 %}
  <p>{{ removed.errors[0].message }}</p>
{% else %}
  {% redirect_to '/search' %}
{% endif %}
`,
    }),
    part('Try a query', 'graphiql explain console'),
    shell('npx ingot exec query.graphql --var name=soup', 'npx ingot explain dishes/search --var name=soup'),
    list(
      '`ingot dev` serves GraphiQL at `/_ingot/graphql`. `ingot explain` shows the statement of a query, its plan and the indexes it uses.',
      'Programs call `POST /api/graph` with a token: [JSON and REST](guides/api.html).',
      'All queries and mutations, and those of the platform that are not supported: [GraphQL](production/graphql.html).',
    ),
  ],
})
