/** The files of the template `blank` of `ingot init`. */
import { agentsFile, GITIGNORE } from './new-site-basics.ts'

/** The files of a small new site, by path. The guides build on them. */
export const NEW_SITE: Readonly<Record<string, string>> = {
  '.gitignore': GITIGNORE,
  'AGENTS.md': agentsFile(
    'dishes/list',
    'The table `dish` is an example. To remove it, delete `app/schema/dish.yml`, `seed/dishes.json`, and what `npx ingot check` then reports. Do it\nbefore the first `npx ingot dev`, or first delete its rows: the guide `tables.md` has the command, in "Remove a table".',
  ),
  'app/config.yml': `# Double-quoted strings may contain values: "Hi {{ name }}"
string_interpolation: true
# A URL path must match the whole slug of a page.
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
    <a class="skip" href="#content">{{ 'site.skip' | t }}</a>
    <header>
      <a class="brand" href="/">{{ 'site.name' | t }}</a>
      <nav aria-label="{{ 'site.navigation' | t }}">
        <ul>
          <li><a href="/">{{ 'site.home' | t }}</a></li>
        </ul>
      </nav>
    </header>
    <main id="content" tabindex="-1">
      {% if context.flash.notice != blank %}<p class="flash" role="status">{{ context.flash.notice }}</p>{% endif %}
      {% if context.flash.alert != blank %}<p class="flash flash-alert" role="alert">{{ context.flash.alert }}</p>{% endif %}
      {{ content_for_layout }}
    </main>
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
    home: Home
    navigation: Main navigation
    skip: Skip to the content
  home:
    title: What we cook today
    nothing: We are closed.
  dishes:
    price: '%{price} €'
    unknown: There is no such dish.
`,
  'app/assets/icon.svg': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#c2410c"/></svg>
`,
  'app/assets/site.css': `:root {
  color-scheme: light dark;
  --ink: #1c1917;
  --paper: #ffffff;
  --line: #d6d3d1;
  --field: #78716c;
  --accent: #c2410c;
  --on-accent: #ffffff;
  --note: #ecfdf5;
  --wrong: #b91c1c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #f5f5f4;
    --paper: #1c1917;
    --line: #57534e;
    --field: #a8a29e;
    --accent: #fb923c;
    --on-accent: #1c1917;
    --note: #052e16;
    --wrong: #fca5a5;
  }
}
body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink); background: var(--paper); }
a { color: var(--accent); }
header { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: baseline; border-bottom: 1px solid var(--line); padding-bottom: .8rem; }
header ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; list-style: none; margin: 0; padding: 0; }
main { outline: 0; }
.brand { font-weight: 700; color: inherit; text-decoration: none; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .5rem; background: var(--paper); }
.flash { padding: .6rem .9rem; border: 1px solid var(--line); border-radius: .35rem; background: var(--note); }
.flash-alert, .form-wrong { color: var(--wrong); }
.dishes { list-style: none; padding: 0; }
.dishes li { padding: .5rem 0; border-bottom: 1px solid var(--line); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .5rem .8rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
dt { font-weight: 600; }
dd { margin: 0 0 .8rem; }
.lines { white-space: pre-line; }
.picture { object-fit: cover; border-radius: .35rem; }
form { display: grid; gap: .8rem; max-width: 26rem; margin: 1.5rem 0; justify-items: start; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .8rem; }
.actions form { margin: 0; }
.pages { display: flex; gap: 1.2rem; }
.filters { display: flex; flex-wrap: wrap; align-items: end; max-width: none; }
label { display: grid; gap: .2rem; width: 100%; }
.form-field { width: 100%; }
.filters .form-field { width: auto; }
.form-field p, .form-end { margin: 0; }
input:not([type=checkbox], [type=radio], [type=hidden], [type=file]), select, textarea { font: inherit; width: 100%; box-sizing: border-box; padding: .45rem .6rem; border: 1px solid var(--field); border-radius: .35rem; color: inherit; background: var(--paper); }
textarea { min-height: 7rem; }
button, .button { font: inherit; display: inline-block; padding: .45rem 1.1rem; border: 0; border-radius: .35rem; background: var(--accent); color: var(--on-accent); cursor: pointer; text-decoration: none; }
:is(input, select, textarea, button, a):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`,
}
