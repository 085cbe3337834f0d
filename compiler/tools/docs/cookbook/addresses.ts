/** Recipes about addresses of pages. */
import { files, recipe, text, trial } from '../guides/guide.ts'

export const slugs = recipe('slugs', {
  name: 'Readable addresses: slugs',
  summary: 'Put the title of a row into its address, and keep old links working when the title changes.',
  words: 'slug slugs permalink pretty url seo friendly address title canonical redirect slugify',
  blocks: [
    text(
      'The address is `/posts/12-plum-cake`. The number finds the row, so two posts may have one title, and no column of slugs must be unique. If the rest is not the current title, the page redirects to the right address.',
    ),
    files({
      'app/graphql/posts/find.graphql': `query find($id: ID!) {
  posts: records(per_page: 1, filter: { table: { value: "post" }, id: { value: $id } }) {
    results {
      id
      title: property(name: "title")
      body: property(name: "body")
    }
  }
}
`,
      'app/lib/posts/path.liquid': `{% doc %}
  Returns the path of a post.
  @param {string} id
  @param {string} [title]
{% enddoc %}
{% liquid
  assign words = title | slugify
  return "/posts/{{ id }}-{{ words }}"
%}
`,
      'app/views/pages/posts/show.liquid': `---
slug: posts/:slug
---
{% liquid
  assign parts = context.params.slug | split: '-'
  assign id = parts | first | to_positive_integer: 0
  graphql found = 'posts/find', id: id
  assign post = found.posts.results | first
  if post
    function path = 'posts/path', id: post.id, title: post.title
    if context.location.pathname != path
      redirect_to path, status: 301
      break
    endif
  endif
%}
{% if post %}
  <h1>{{ post.title }}</h1>
  <p>{{ post.body }}</p>
{% else %}
  {% response_status 404 %}
  <p>There is no such post.</p>
{% endif %}
`,
    }),
    ...trial('Open `/posts/1` or `/posts/1-anything`: the browser goes to the address with the title.'),
  ],
})

export const redirects = recipe('redirects', {
  name: 'Redirect old addresses',
  summary: 'Keep the links to your old site working with a table of redirects that editors can extend.',
  words: 'redirect redirects 301 moved permanently old url legacy address links migrate migration site seo broken',
  blocks: [
    text(
      'The old site had its pages below `/shop`. A page with `*rest` answers everything there that no other page answers. One single redirect needs no table: `redirect_to` and `redirect_code: 301` in the front matter of a page.',
    ),
    files({
      'app/schema/moved.yml': `name: moved
properties:
  - name: old
  - name: new
`,
      'app/graphql/moved/find.graphql': `query find($old: String!) {
  moved: records(per_page: 1, filter: { table: { value: "moved" }, properties: [{ name: "old", value: $old }] }) {
    results {
      new: property(name: "new")
    }
  }
}
`,
      'app/views/pages/shop.liquid': `---
slug: shop/*rest
---
{% liquid
  assign old = context.location.pathname | downcase
  graphql found = 'moved/find', old: old
  assign target = found.moved.results[0].new
  assign is_local = target | append: '' | matches: '\\A/(?![/\\\\])'
  if target and is_local
    redirect_to target, status: 301
  else
    response_status 404
  endif
%}
<p>There is no such page.</p>
`,
    }),
    text('Targets must be paths of this site, so a row cannot send visitors elsewhere.'),
    ...trial('Add a row with `/shop/cakes` and `/wines`, and open `/shop/Cakes`. `/shop/bread` is answered with 404.'),
  ],
})

export const languages = recipe('languages', {
  name: 'Addresses in several languages',
  summary: 'Give each language its own address, link them to each other, and send visitors to theirs.',
  words: 'language languages multilingual i18n locale url address hreflang translation path prefix en de international',
  blocks: [
    text(
      'The first segment of the address is the language, so search engines find each version, and a shared link shows the same to everybody. `{% context language: … %}` sets the language of the page and of its layout.',
    ),
    files({
      'app/translations/visit.en.yml': `en:
  visit:
    title: How to find us
`,
      'app/translations/visit.de.yml': `de:
  visit:
    title: So finden Sie uns
`,
      'app/views/pages/visit/show.liquid': `---
slug: :lang/visit
---
{% liquid
  assign names = { "en": "English", "de": "Deutsch" }
  assign lang = context.params.lang
  assign name = names[lang]
  if name == nil
    response_status 404
    break
  endif
  context language: lang
%}
<h1>{{ 'visit.title' | t }}</h1>
<nav>
  {% for pair in names %}
    <a rel="alternate" hreflang="{{ pair[0] }}" lang="{{ pair[0] }}" href="/{{ pair[0] }}/visit">{{ pair[1] }}</a>
  {% endfor %}
</nav>
`,
      'app/views/pages/visit/index.liquid': `---
slug: visit
---
{% liquid
  if context.language == 'de'
    redirect_to '/de/visit'
  else
    redirect_to '/en/visit'
  endif
%}
`,
    }),
    text(
      '`context.language` on `/visit` is what the browser asks for: [Translations](guides/translations.html#which-language).',
    ),
    ...trial(
      'Open `/de/visit` with an English browser: title and `<html lang>` are German. `/visit` leads to `/en/visit`. `/xx/visit` is answered with 404.',
    ),
  ],
})
