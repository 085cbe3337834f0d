/** What `ingot init` writes. */

/** The files of a new site. */
export const NEW_SITE: Readonly<Record<string, string>> = {
  '.gitignore': `# Built from the sources, and the database on this machine.
.ingot/
.ingot-data/
`,
  'AGENTS.md': `# Working on this site

A site written in Liquid, compiled and served by Ingot. Everything below is run in this folder.

## Commands

- \`npx ingot check\` reports mistakes with file, line and a hint; a change is done when it reports nothing. \`--format json\` is for programs,
  \`--fix\` makes the changes that are safe, \`npx ingot explain CODE\` shows a wrong and a right example.
- \`npx ingot test\` runs the tests, each in a transaction that is undone. It exits with 1 when one has failed.
- \`npx ingot dev\` builds, serves on http://localhost:3000, and rebuilds on save.
- \`npx ingot generate crud book title pages:integer\` writes a table with its queries, forms, pages and test. Also: table, page, form, module, migration.
- \`npx ingot routes --json\` lists the addresses; \`npx ingot exec FILE\` runs Liquid or GraphQL against the site's own data;
  \`npx ingot explain dishes/list\` shows the SQL of a query, its plan and its indexes, once \`npx ingot build\` has run.
- \`npx ingot mcp\` answers in the Model Context Protocol, if you speak it: check files before you write them (\`validate_change\`), render pages,
  look up the language, read the log and the traces of the last requests.
- \`npx ingot docs --out reference\` writes the reference of the language as Markdown; begin with \`reference/llms.txt\`.

## Where things stand

| what | where |
|---|---|
| pages; the path is the address unless \`slug\` says otherwise | \`app/views/pages\` |
| partials (\`render\`), logic (\`function\`), layouts | \`app/views/partials\`, \`app/lib\`, \`app/views/layouts\` |
| tables, queries | \`app/schema\`, \`app/graphql\` |
| forms: what may be sent, by whom, and what must hold | \`app/forms\`, \`app/authorization_policies\` |
| texts | \`app/translations\` |
| tests in Liquid (\`…_test.liquid\`), lists of requests (\`…_test.yml\`) | \`app/lib/test\` |
| rows to begin with | \`seed\` |

## Rules

- What a partial takes stands in its \`{% doc %}\`. Values go in as arguments; \`render\` and \`function\` see no variable of their caller.
- A query has a name and a file; no query in a loop: ask for all rows at once, or for related records in one query.
- Texts that readers see are translations: \`{{ 'dishes.price' | t: price: dish.price }}\`. What is printed is escaped.
- Who may write is said by the form: \`resource_owner\`, or a policy. What is not configured never gets in.
- Nothing in \`.ingot\` and \`.ingot-data\` is written by hand.
`,
  'app/config.yml': `# Double-quoted strings may hold values: "Hi {{ name }}"
string_interpolation: true
# An address must match the slug of a page from its beginning to its end.
slug_exact_match: true
`,
  'app/views/layouts/application.liquid': `<!doctype html>
<html lang="{{ context.language }}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>{% yield 'title', default: 'A new site' %}</title>
    <link rel="icon" href="{{ 'icon.svg' | asset_url }}">
    <link rel="stylesheet" href="{{ 'site.css' | asset_url }}">
  </head>
  <body>
    <header><a href="/">{{ 'site.name' | t }}</a></header>
    <main>{{ content_for_layout }}</main>
  </body>
</html>
`,
  'app/schema/dish.yml': `# A table. Properties without a type are texts.
name: dish
properties:
  - name: name
  - name: price
    type: integer
`,
  'app/graphql/dishes/list.graphql': `# Templates run this with {% graphql result = 'dishes/list' %}.
query dishes {
  dishes: records(
    per_page: 100
    filter: { table: { value: "dish" } }
    sort: [{ properties: [{ name: "price", order: ASC }] }]
  ) {
    results {
      id
      name: property(name: "name")
      price: property_int(name: "price")
    }
  }
}
`,
  'app/graphql/dishes/find.graphql': `query dish($id: ID!) {
  dishes: records(per_page: 1, filter: { table: { value: "dish" }, id: { value: $id } }) {
    results {
      name: property(name: "name")
      price: property_int(name: "price")
    }
  }
}
`,
  'seed/dishes.json': `{
  "format": "ingot-data",
  "version": 1,
  "tables": {
    "dish": [
      { "id": 1, "properties": { "name": "Tomato soup", "price": 6 } },
      { "id": 2, "properties": { "name": "Baked trout", "price": 17 } },
      { "id": 3, "properties": { "name": "Plum cake", "price": 5 } }
    ]
  }
}
`,
  'app/views/pages/index.liquid': `{% graphql menu = 'dishes/list' %}
{% content_for 'title' %}{{ 'site.name' | t }}{% endcontent_for %}
<h1>{{ 'home.title' | t }}</h1>
<ul class="dishes">
  {% for dish in menu.dishes.results %}
    {% render 'dishes/card', dish: dish %}
  {% else %}
    <li>{{ 'home.nothing' | t }}</li>
  {% endfor %}
</ul>
`,
  'app/views/pages/dishes/show.liquid': `---
slug: dishes/:id
---
{% liquid
  graphql found = 'dishes/find', id: context.params.id
  assign dish = found.dishes.results | first
  if dish == nil
    response_status 404
  endif
%}
{% if dish %}
  <h1>{{ dish.name }}</h1>
  <p>{{ 'dishes.price' | t: price: dish.price }}</p>
{% else %}
  <h1>{{ 'dishes.unknown' | t }}</h1>
{% endif %}
`,
  'app/views/partials/dishes/card.liquid': `{% doc %}
  @param {object} dish - a record of the query dishes/list
{% enddoc %}
<li><a href="/dishes/{{ dish.id }}">{{ dish.name }}</a> <small>{{ 'dishes.price' | t: price: dish.price }}</small></li>
`,
  'app/translations/en.yml': `en:
  site:
    name: The Small Kitchen
  home:
    title: What we cook today
    nothing: We are closed.
  dishes:
    price: '%{price} €'
    unknown: There is no such dish.
`,
  'app/assets/icon.svg': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#c2410c"/></svg>
`,
  'app/assets/site.css': `body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
header a { font-weight: 700; color: inherit; text-decoration: none; }
.dishes { list-style: none; padding: 0; }
.dishes li { padding: .5rem 0; border-bottom: 1px solid #ddd; }
form { display: grid; gap: .8rem; max-width: 26rem; margin: 1.5rem 0; justify-items: start; }
label { display: grid; gap: .2rem; width: 100%; }
input:not([type=checkbox], [type=radio], [type=hidden]), select, textarea { font: inherit; width: 100%; box-sizing: border-box; padding: .45rem .6rem; border: 1px solid #bbb; border-radius: .35rem; }
textarea { min-height: 7rem; }
button { font: inherit; padding: .45rem 1.1rem; border: 0; border-radius: .35rem; background: #c2410c; color: #fff; cursor: pointer; }
:is(input, select, textarea, button, a):focus-visible { outline: 3px solid #fdba74; outline-offset: 2px; }
`,
}
