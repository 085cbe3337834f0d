/** The guide to tables, relations, uploads and indexes. */
import { files, guide, list, page, part, shell, text } from './guide.ts'

export const tables = guide('tables', {
  name: 'Tables and relations',
  summary: 'Declare what the site stores, connect rows of several tables, and let Ingot maintain the indexes.',
  words: 'store data database save model schema row record column property relation index sql postgres postgresql',
  blocks: [
    part('Declare a table', 'store data database model schema column property'),
    text(
      'A table is a YAML file in `app/schema`. A property without a type is a text. Every row also has `id`, `external_id`, `user_id`, `created_at`, `updated_at` and `deleted_at`.',
    ),
    files({
      'app/schema/dish.yml': `name: dish
properties:
  - name: name
  - name: price
    type: integer
  - name: stock
    type: integer
    default_value: 10
  - name: tags
    type: array
  - name: photo
    type: upload
    options:
      content_length:
        lte: 8192
      versions:
        - name: card
          output:
            format: webp
            quality: 80
          resize:
            width: 480
            height: 320
            fit: cover
`,
    }),
    text(
      'The types are string, integer, float, decimal, boolean, date, datetime, time, array (of texts), upload, geojson and binary: [properties](settings/properties.html). An `upload` holds a file; [Files and image versions](guides/files.html) explains its options.',
    ),
    shell('npx ingot generate crud supplier name phone'),
    text('writes a table with its queries, forms, pages and a test. `generate table` writes the table only.'),
    part('Connect two tables', 'relation one to many belongs_to join foreign key association related'),
    text(
      'A row keeps the id of the other row in a property. `belongs_to` names the table of that row for exports and for readers of the schema. For many to many, use a property of the type `array` with several ids, or a table in between.',
    ),
    files({
      'app/schema/review.yml': `name: review
properties:
  - name: dish_id
    belongs_to: dish
  - name: stars
    type: integer
  - name: words
`,
    }),
    text(
      'A query follows relations in both directions: `related_records` gives the rows whose `foreign_property` equals our `join_on_property`, and `related_record` one of them. However deep the relations are, the query is one SQL statement.',
    ),
    page(
      {
        'app/graphql/reviews/by_dish.graphql': `query reviews {
  dishes: records(
    per_page: 20
    filter: { table: { value: "dish" } }
    sort: [{ properties: [{ name: "price", order: ASC }] }]
  ) {
    results {
      name: property(name: "name")
      reviews: related_records(
        table: "review"
        join_on_property: "id"
        foreign_property: "dish_id"
        limit: 5
        sort: [{ created_at: { order: DESC } }]
      ) {
        stars: property_int(name: "stars")
        words: property(name: "words")
      }
    }
  }
}
`,
        'app/views/pages/reviews.liquid': `{% graphql found = 'reviews/by_dish' %}
{% for dish in found.dishes.results %}
  <h2>{{ dish.name }}</h2>
  {% for review in dish.reviews %}
    <p>{{ review.stars }} stars: {{ review.words }}</p>
  {% endfor %}
{% endfor %}
`,
      },
      '/reviews',
      `…<h2>Tomato soup</h2>
…<p>5 stars: Like at home</p>…`,
    ),
    part('The owner of a row', 'user_id author creator'),
    text(
      'A row that a signed-in user creates has their id in `user_id`. `related_user { email }` reads that user; `join_on_property` names another property with the id of a user.',
    ),
    part('Change a table', 'migration alter column rename type convert'),
    list(
      'When you change a table file, the running system follows. A new property needs nothing else. The values of a removed property stay stored and come back with it.',
      'Values are converted if a type changes. Values that cannot be converted are counted and reported before anything changes.',
      'A property with another name is a new property. A migration copies its values: [Jobs](guides/jobs.html#migrations).',
      'Deleting a row sets `deleted_at`: it is hidden from queries, and removed after 30 days. There is no cascade.',
    ),
    part('Indexes', 'slow query performance explain plan unique'),
    list(
      "Indexes are derived from the queries' filters, sorts and relations. The server builds them in the background and drops those that no query needs any more.",
      '`ingot check` reports queries that no index can serve. `ingot explain dishes/list` shows the statement, its plan and the indexes.',
      'A value that may occur only once is checked by the validation [unique](validations/unique.html) of a form.',
    ),
    part('Initial rows', 'seed import export csv json'),
    text(
      "`seed/*.json` holds a site's own rows, in the format of `ingot data export`. `ingot dev` inserts them into an empty database, `ingot data seed` into any. `ingot data export` and `import` write and read rows as JSON or CSV.",
    ),
    part('Which PostgreSQL', 'DATABASE_URL embedded included database replica'),
    list(
      'Without `DATABASE_URL` the server runs its own PostgreSQL 18 in `.ingot-data` (or in `INGOT_DATA`). After a crash, the next start takes this PostgreSQL over. The server stops it when it ends.',
      'With `DATABASE_URL` it uses any PostgreSQL from version 15. Queries that ask for a replica use `DATABASE_REPLICA_URL`, unless that lags by more than `INGOT_REPLICA_LAG` seconds. While the primary is down, pages are read from the replica, and changes are refused within two seconds with `Retry-After`. After a failover the server uses the new primary: [Read replicas and failover](production/failover.html).',
    ),
  ],
})
