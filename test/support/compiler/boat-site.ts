/** A correct site about boats. Tests add a single mistake to it. */
import { type Files, PAGE } from './check.ts'

export const QUERY = 'app/graphql/boats.graphql'
export const BOAT = 'app/schema/boat.yml'
export const RENAME = 'app/graphql/rename.graphql'
export const CARD = 'app/views/partials/card.liquid'
export const EN = 'app/translations/en.yml'
export const DE = 'app/translations/de.yml'
export const SHOW = 'app/views/pages/boats/show.liquid'
export const FIRST = 'app/lib/first_boat.liquid'
export const MENU = 'app/views/partials/menu.liquid'
export const EDIT = 'app/forms/boat.liquid'

export const LIST = 'app/views/pages/boats/list.liquid'
export const CHANGE = 'app/views/pages/boats/rename.liquid'

export const BOATS: Files = {
  'app/config.yml': 'slug_exact_match: true\n',
  [BOAT]: 'name: boat\nproperties:\n  - name: title\n    type: string\n  - name: berths\n    type: integer\n',
  [QUERY]: `query boats($id: ID) {
  boats: records(per_page: 20, filter: { table: { value: "boat" }, id: { value: $id } }) {
    total_entries
    results {
      id
      title: property(name: "title")
      berths: property_int(name: "berths")
    }
  }
}
`,
  [RENAME]: `mutation rename($id: ID!, $title: String!) {
  boat: record_update(id: $id, record: { table: "boat", properties: [{ name: "title", value: $title }, { name: "berths", value_int: 3 }] }) {
    id
  }
}
`,
  [EN]: `en:
  boats:
    title: Boats
    price: 'From %{price} on'
    nights:
      one: '%{count} night'
      other: '%{count} nights'
`,
  [DE]: `de:
  boats:
    title: Boote
    price: 'Ab %{price}'
    nights:
      one: '%{count} Nacht'
      other: '%{count} Nächte'
`,
  [CARD]: `{% doc %}
  @param {object} boat
  @param {string} [tone] - of the sign
{% enddoc %}
<b class="{{ tone }}">{{ boat.title }}</b>
`,
  [MENU]: '<nav>{{ label }}{% if wide %}<b>wide</b>{% endif %}</nav>',
  [FIRST]: `{% liquid
  graphql found = 'boats', id: id
  assign boat = found.boats.results | first
  if boat
    return boat
  endif
  return null
%}
`,
  [EDIT]: `---
name: boat
resource: boat
fields:
  properties:
    title:
      validation: { presence: true }
---
{% form %}<input name="{{ form.fields.properties.title.name }}">{% endform %}`,
  [SHOW]: `---
slug: boats/:id
---
{% function boat = 'first_boat', id: context.params.id %}
{% if boat == nil %}
  {% response_status 404 %}
{% else %}
  {% render 'card', boat: boat, tone: 'wide' %}
  <p title="{{ 'boats.price' | t: price: boat.title }}">{{ 'boats.price' | t: price: boat.berths }} {{ 'boats.nights' | t: count: 2 }}</p>
{% endif %}
<section class="wide">
  <a class="button" href="/">{{ 'boats.title' | t }}</a>
</section>
`,
  'app/views/layouts/application.liquid': '<html><body>{{ content_for_layout }}</body></html>',
  [LIST]: '---\nslug: boats/list\n---\nAll boats',
  [CHANGE]: `---
slug: boats/rename
method: post
authorization_policies:
  - signed_in
---
{% graphql done = 'rename', id: context.params.id, title: 'x' %}{{ done.boat.id }}`,
  'app/authorization_policies/grown_up.liquid':
    '---\nname: grown_up\n---\n{% if context.current_user.id %}true{% endif %}',
  'app/authorization_policies/signed_in.liquid':
    '---\nname: signed_in\n---\n{% if context.current_user %}true{% endif %}',
  [PAGE]: `{% graphql g = 'boats' %}
{% include_form 'boat' %}
{% for boat in g.boats.results %}
  {% unless forloop.first %}<hr>{% endunless %}
  {% render 'card', boat: boat %}
  {% if boat.berths > 3 %}
    <i>{{ boat.title }}</i>
  {% endif %}
{% endfor %}
{% render 'menu', label: 'Home', wide: true %}
<a href="/boats/list">all</a>
<form action="/boats/rename" method="post"><input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}"></form>
`,
}
