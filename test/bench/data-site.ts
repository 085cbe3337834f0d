/** The tables, rows and operations that `npm run bench -- data` measures, and the same queries in hand-written SQL. */
import type { DataSchema, PropertyDef } from '../../runtime/page/compiled.ts'

function property(name: string, type: PropertyDef['type']): PropertyDef {
  return { name, type, default: null, belongsTo: null, options: null }
}

function table(name: string, properties: readonly PropertyDef[]) {
  return { name, file: `app/schema/${name}.yml`, properties }
}

export const BENCH_DATA: DataSchema = {
  tables: [
    table('author', [property('name', 'string')]),
    table('article', [
      property('title', 'string'),
      property('category', 'string'),
      property('score', 'integer'),
      property('author_id', 'string'),
    ]),
    table('comment', [property('article_id', 'string'), property('body', 'string')]),
    table('reaction', [property('comment_id', 'string'), property('kind', 'string')]),
    table('product', [property('title', 'string'), property('category', 'string'), property('price', 'integer')]),
  ],
  user: [],
  profiles: [],
}

/** Three levels below the articles: the author, the comments, and the reactions to each comment. */
export const ARTICLES = `query articles($page: Int, $category: String) {
  records(
    per_page: 20
    page: $page
    filter: { table: { value: "article" }, properties: [{ name: "category", value: $category }] }
    sort: [{ created_at: { order: DESC } }]
  ) {
    results {
      id
      title: property(name: "title")
      author: related_record(table: "author", join_on_property: "author_id") {
        id
        name: property(name: "name")
      }
      comments: related_records(table: "comment", join_on_property: "id", foreign_property: "article_id", limit: 5) {
        id
        body: property(name: "body")
        reactions: related_records(table: "reaction", join_on_property: "id", foreign_property: "comment_id", limit: 5) {
          kind: property(name: "kind")
        }
      }
    }
  }
}`

/** A page of rows with one relation, as a client sends it to `/api/graph`. */
export const COMMENTED = `query commented($page: Int, $category: String) {
  records(
    per_page: 20
    page: $page
    filter: { table: { value: "article" }, properties: [{ name: "category", value: $category }] }
    sort: [{ created_at: { order: DESC } }]
  ) {
    results {
      id
      title: property(name: "title")
      comments: related_records(table: "comment", join_on_property: "id", foreign_property: "article_id", limit: 5) {
        id
        body: property(name: "body")
      }
    }
  }
}`

export const PRODUCTS = `query products($category: String!, $page: Int) {
  records(
    per_page: 20
    page: $page
    filter: { table: { value: "product" }, properties: [{ name: "category", value: $category }] }
    sort: [{ properties: [{ name: "price", order: ASC }] }]
  ) {
    results { id title: property(name: "title") price: property_int(name: "price") }
  }
}`

/** The page of `PRODUCTS` with the number of all rows that match. */
export const COUNTED = PRODUCTS.replace('query products', 'query counted').replace(
  'results {',
  'total_entries results {',
)

/** One row by its id. */
export const ONE = `query one($id: ID!) {
  records(per_page: 1, filter: { table: { value: "product" }, id: { value: $id } }) {
    results { id title: property(name: "title") price: property_int(name: "price") }
  }
}`

type Ids = ReadonlyMap<string, number>

/** Returns the SQL that a careful author would write for `ARTICLES` over the same rows. `$1`: category, `$2`: offset. */
export function articlesByHand(ids: Ids): string {
  return `select json_build_object('records', json_build_object('results', coalesce(json_agg(json_build_object(
      'id', a.id::text, 'title', a.properties->>'title', 'author', w.j, 'comments', c.j)), '[]'::json)))
    from (
      select id, properties from ingot.records
      where table_id = ${ids.get('article')} and deleted_at is null and left(coalesce((properties ->> 'category'::text), ''), 200) = $1::text
      order by created_at desc, id limit 20 offset $2::bigint) a
    left join lateral (
      select json_build_object('id', w.id::text, 'name', w.properties->>'name') as j from ingot.records w
      where w.table_id = ${ids.get('author')} and w.deleted_at is null and w.id = (a.properties->>'author_id')::bigint
      order by w.id limit 1) w on true
    left join lateral (
      select coalesce(json_agg(json_build_object('id', c.id::text, 'body', c.properties->>'body', 'reactions', r.j)), '[]'::json) as j
      from (
        select id, properties from ingot.records c
        where c.table_id = ${ids.get('comment')} and c.deleted_at is null and left(coalesce((c.properties ->> 'article_id'::text), ''), 200) = a.id::text
        order by id limit 5) c
      left join lateral (
        select coalesce(json_agg(json_build_object('kind', r.properties->>'kind')), '[]'::json) as j
        from (
          select properties from ingot.records r
          where r.table_id = ${ids.get('reaction')} and r.deleted_at is null and left(coalesce((r.properties ->> 'comment_id'::text), ''), 200) = c.id::text
          order by id limit 5) r) r on true) c on true`
}

/**
 * Returns the SQL that a careful author would write for `PRODUCTS`. `price` is the indexed expression of the number. `$1`: category, `$2`:
 * offset.
 */
export function productsByHand(ids: Ids, price: string): string {
  return `select json_build_object('records', json_build_object('results', coalesce(json_agg(json_build_object(
      'id', id::text, 'title', properties->>'title', 'price', (properties->>'price')::bigint)), '[]'::json)))
    from (
      select id, properties from ingot.records r
      where table_id = ${ids.get('product')} and deleted_at is null and left(coalesce((properties ->> 'category'::text), ''), 200) = $1::text
      order by ${price}, id limit 20 offset $2::bigint) a`
}

/**
 * Returns the statements that fill the tables with the given numbers of articles and products, and with two comments for each of the newest
 * 50,000 articles.
 */
export function fillStatements(ids: Ids, articles: number, products: number): readonly string[] {
  const at = (table: string) => ids.get(table)
  return [
    `insert into ingot.records (table_id, properties)
     select ${at('author')}, jsonb_build_object('name', 'Author ' || n) from generate_series(1, 500) n`,
    `insert into ingot.records (table_id, properties, created_at)
     select ${at('article')}, jsonb_build_object('title', 'Article ' || n, 'category', 'c' || n % 50, 'score', n % 1000,
       'author_id', (select min(id) from ingot.records where table_id = ${at('author')}) + n % 500),
       timestamptz '2020-01-01Z' + n * interval '1 minute' from generate_series(1, ${articles}) n`,
    `insert into ingot.records (table_id, properties)
     select ${at('comment')}, jsonb_build_object('article_id', a.id::text, 'body', 'A comment on ' || a.id || ' number ' || k)
     from (select id from ingot.records where table_id = ${at('article')} order by created_at desc limit 50000) a,
       generate_series(1, 2) k`,
    `insert into ingot.records (table_id, properties)
     select ${at('reaction')}, jsonb_build_object('comment_id', c.id::text, 'kind', (array['like','love','wow'])[k])
     from (select id from ingot.records where table_id = ${at('comment')}) c, generate_series(1, 3) k`,
    `insert into ingot.records (table_id, properties)
     select ${at('product')}, jsonb_build_object('title', 'Product ' || n, 'category', 'c' || n % 100, 'price', (n::bigint * 7919) % 100000)
     from generate_series(1, ${products}) n`,
    'vacuum analyze ingot.records',
  ]
}
