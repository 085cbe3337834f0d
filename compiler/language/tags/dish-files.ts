/** Files of a site with dishes, for the examples of tags. */

const TABLE = { 'app/schema/dish.yml': 'name: dish\nproperties:\n  - name: title\n' }

const SEARCH = {
  'app/graphql/dishes/search.graphql':
    'query search($title: String) {\n  records(per_page: 20, filter: { table: { value: "dish" }, properties: [{ name: "title", value: $title }] }) {\n    total_entries\n    results { title: property(name: "title") }\n  }\n}\n',
}

/** A table, and the query that finds its rows. */
export const DISH_SEARCH = { ...TABLE, ...SEARCH }

/** A table, and the queries that create and find its rows. */
export const DISH_QUERIES = {
  ...TABLE,
  'app/graphql/dishes/create.graphql':
    'mutation create($title: String!) {\n  record_create(record: { table: "dish", properties: [{ name: "title", value: $title }] }) { id }\n}\n',
  ...SEARCH,
}

/** A form, and the table of its rows. */
export const DISH_FORM = {
  'app/forms/dish.liquid':
    '---\nname: dish\nresource: dish\nfields:\n  properties:\n    title:\n      validation: { presence: true }\n---\n{% form html-class: \'wide\' %}<input name="{{ form.fields.properties.title.name }}">{% endform %}',
  ...TABLE,
}
