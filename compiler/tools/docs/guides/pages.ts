/** The guide to pages, layouts and partials. */
import { files, guide, list, page, part, shell, text } from './guide.ts'

export const pages = guide('pages', {
  name: 'A first site: pages and layouts',
  summary: 'Make a site, add a page, give it an address, and share what all pages have in common.',
  words: 'start begin new site init first hello world add page address url route header footer',
  blocks: [
    part('Make a site', 'start begin init new'),
    shell('npx ingot init --template blank kitchen', 'npx ingot dev kitchen'),
    text(
      'writes a small site with a table, two queries and a few rows, and serves it on `http://localhost:3000`. Change a file and the open page reloads. A mistake is shown in the terminal and in the page, with its line and a hint. `npx ingot check kitchen` reports all mistakes of the site. The examples of these guides are files of this site.',
    ),
    text(
      'There are other templates: `starter` has accounts, photos, a form, a mail, two languages and styles with a dark mode; `blog` has posts, a feed and a desk for administrators; `api` answers programs with JSON. Without `--template`, a terminal is asked.',
    ),
    text(
      'The demo is a site as well. In a clone of Ingot, run `npx ingot dev fixtures/sites/marketplace`, change a template and watch the open page reload. Then break a template and read the message.',
    ),
    part('Add a page', 'url address route slug path'),
    text('Each file below `app/views/pages` is a page. Its path is its address.'),
    page(
      {
        'app/views/pages/about.liquid': `---
metadata:
  title: About us
---
<h1>{{ context.page.metadata.title }}</h1>
<p>We have {{ 'now' | date: '%Y' | minus: 2019 }} years of practice.</p>
`,
      },
      '/about',
      `<h1>About us</h1>
<p>We have … years of practice.</p>`,
    ),
    text(
      'The front matter between the lines `---` can change the address, the layout and more: [all keys of a page](settings/page.html). `index.liquid` is the page of its folder. A segment that begins with `:` is a parameter:',
    ),
    page(
      {
        'app/views/pages/hello.liquid': `---
slug: hello/:name
---
<p>Hello {{ context.params.name }}!</p>
`,
      },
      '/hello/Ada',
      '<p>Hello Ada!</p>',
    ),
    text(
      'Printed values are escaped, so `context.params.name` cannot add HTML. `context` has everything about the request: parameters, the signed-in user, the language, the session ([context](objects/context.html)).',
    ),
    list(
      'The file name says the format: `feed.rss.liquid` answers `/feed.rss`, `menu.json.liquid` answers `/menu.json`. Pages of other formats than HTML have no layout unless they name one.',
      'A page answers one method, GET by default. `method: post` in the front matter answers POST at the same address.',
      'Without `slug_exact_match: true` in `app/config.yml`, an address may continue after a slug: `list/show` also answers `/list/show/1`, with `1` in `context.params.slug3`. `ingot init` writes that setting.',
      '`npx ingot routes` lists all addresses with method, format, policies, layout and page.',
    ),
    part('Share a layout', 'header footer template common design'),
    text(
      'A layout is what pages have around them. `content_for_layout` is the place of the page. The layout `application` applies to all HTML pages that name no other; `layout: plain` in the front matter selects one, and `layout: ""` none. A page passes blocks to it with `content_for`:',
    ),
    page(
      {
        'app/views/layouts/plain.liquid': `<!doctype html>
<html lang="{{ context.language }}">
  <head>
    <title>{% yield 'title', default: 'Kitchen' %}</title>
  </head>
  <body>{{ content_for_layout }}</body>
</html>
`,
        'app/views/pages/imprint.liquid': `---
layout: plain
---
{% content_for 'title' %}Imprint{% endcontent_for %}
<p>The Small Kitchen, Harbour 1</p>
`,
      },
      '/imprint',
      `<title>Imprint</title>
…
<p>The Small Kitchen, Harbour 1</p>`,
    ),
    part('Share a part of a page', 'partial include render component snippet reuse'),
    text(
      'Partials are in `app/views/partials`, and logic that returns a value is in `app/lib`. `render` prints a partial, `function` calls a file and keeps the value that it returns. Both see only the values that are passed. The block `doc` declares them, and the compiler checks every call.',
    ),
    page(
      {
        'app/views/partials/badge.liquid': `{% doc %}
  @param {string} label
{% enddoc %}
<strong class="badge">{{ label }}</strong>
`,
        'app/lib/opening.liquid': `{% doc %}
  Returns whether the kitchen is open.
  @param {number} hour
{% enddoc %}
{% liquid
  if hour >= 12 and hour < 22
    return 'open'
  endif
  return 'closed'
%}
`,
        'app/views/pages/hours.liquid': `{% function state = 'opening', hour: 13 %}
{% render 'badge', label: state %}
`,
      },
      '/hours',
      '<strong class="badge">open</strong>',
    ),
    list(
      'A partial `_card.liquid` can be called as `card`. A partial with another extension is called with it (`{% render "svg/logo.svg" %}`). Partials in the folder of layouts are called `layouts/…`.',
      'Modules are in `modules/<name>/public` and `private`, their overrides in `app/modules`. Their files are called with the prefix `modules/<name>/`. A repository that is a single module has these two folders in its root, next to its manifest. `ingot modules install` installs the modules that `pos-module.json` requires.',
      '`<%= key =%>` in a file of a module is a value from its `pos-module.json` or `template-values.json`; in the application it is a value from the `template-values.json` of the root.',
    ),
    part('Redirect, and answer 404', 'not found status error page'),
    page(
      {
        'app/views/pages/menu-of-the-day.liquid': `{% redirect_to '/about', status: 301 %}
`,
        'app/views/pages/404.liquid': `<h1>There is no such page.</h1>
`,
      },
      '/nowhere',
      '<h1>There is no such page.</h1>',
    ),
    text(
      'Pages with the slugs `403`, `404`, `500` and `503` are the error pages. `{% response_status 404 %}` sets the status of a page. `redirect_to` in the front matter redirects without a template.',
    ),
    part('Logic in templates', 'liquid language variables if for'),
    text(
      'The reference has every [tag](index.html#tags), [filter](index.html#filters) and [object](index.html#objects), with examples. An error is a mistake that certainly fails in code that a page can reach. The same mistake in unreachable code is a warning, and so is anything that was only inferred. A comment suppresses a check (`{% # platformos-check-disable UnknownFilter %}`), and `.platformos-check.yml` is read. A suppressed error is a warning, and fails when it is reached.',
    ),
    files({
      'app/views/pages/prices.liquid': `{% graphql menu = 'dishes/list' %}
{% for dish in menu.dishes.results %}
  {% if dish.price > 10 %}<p>{{ dish.name | upcase }}</p>{% endif %}
{% endfor %}
`,
    }),
  ],
})
