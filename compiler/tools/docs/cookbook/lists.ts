/** Recipes about lists: search, pages and words. */
import { files, recipe, text, trial } from '../guides/guide.ts'

export const search = recipe('search', {
  name: 'Search with filters and sort in the address',
  summary: 'Filter and sort a list by a form whose values are in the address, so that visitors can share and go back.',
  words: 'search filter filters sort order facets query string url parameters list form get price range link',
  blocks: [
    text(
      'A form with `method="get"` writes its fields into the address. The page reads them from `context.params`. A condition whose value is nil is left out of the query, so a blank field becomes nil. Values that a visitor sends never become part of the query: `case` translates the known orders, and everything else is the default order.',
    ),
    files({
      'app/schema/wine.yml': `name: wine
properties:
  - name: name
  - name: country
  - name: price
    type: integer
`,
      'app/graphql/wines/search.graphql': `query search($text: String, $country: String, $most: String, $sort: [RecordsSortInput!], $page: Int = 1) {
  wines: records(
    per_page: 10
    page: $page
    filter: {
      table: { value: "wine" }
      properties: [
        { name: "name", contains: $text }
        { name: "country", value: $country }
        { name: "price", range: { lte: $most } }
      ]
    }
    sort: $sort
  ) {
    total_entries
    has_next_page
    results {
      name: property(name: "name")
      price: property_int(name: "price")
    }
  }
}
`,
      'app/lib/params/text.liquid': `{% doc %}
  Returns a parameter as text, or nil if it is blank or not a text.
  @param {string} [value]
{% enddoc %}
{% liquid
  assign type = value | type_of
  if type == 'String' and value != blank
    return value
  endif
  return null
%}
`,
      'app/lib/params/number.liquid': `{% doc %}
  Returns a parameter as a positive whole number, or nil.
  @param {string} [value]
{% enddoc %}
{% liquid
  assign number = value | to_positive_integer: 0
  if number > 0
    return number
  endif
  return null
%}
`,
      'app/views/pages/wines/index.liquid': `---
slug: wines
---
{% liquid
  function text = 'params/text', value: context.params.q
  function country = 'params/text', value: context.params.country
  function most = 'params/number', value: context.params.most
  function number = 'params/number', value: context.params.page
  assign page = number | default: 1
  case context.params.sort
    when 'cheap'
      assign sort = [{ "properties": [{ "name": "price", "order": "ASC" }] }]
    when 'dear'
      assign sort = [{ "properties": [{ "name": "price", "order": "DESC" }] }]
    else
      assign sort = [{ "properties": [{ "name": "name", "order": "ASC" }] }]
  endcase
  graphql found = 'wines/search', text: text, country: country, most: most, sort: sort, page: page
  assign next = page | plus: 1
  assign more = context.location.search | hash_merge: page: next | querify
%}
<form action="/wines">
  <label>Words <input name="q" value="{{ text }}"></label>
  <label>Country <input name="country" value="{{ country }}"></label>
  <label>At most <input name="most" value="{{ most }}"></label>
  <label>Order
    <select name="sort">
      {% assign orders = ["name", "cheap", "dear"] %}
      {% for order in orders %}
        <option {% if order == context.params.sort %}selected{% endif %}>{{ order }}</option>
      {% endfor %}
    </select>
  </label>
  <button>Search</button>
</form>
<p>{{ found.wines.total_entries }} wines</p>
{% for wine in found.wines.results %}<li>{{ wine.name }}, {{ wine.price }}</li>{% endfor %}
{% if found.wines.has_next_page %}<a rel="next" href="/wines?{{ more }}">More</a>{% endif %}
`,
    }),
    ...trial(
      'Open `/wines?country=France&most=20&sort=dear`: the form has these values, and the link to the next page keeps them.',
      'Nonsense is harmless: `/wines?sort=password&most=x&page=-1&q[]=1` shows the whole list.',
    ),
  ],
})

export const keyset = recipe('keyset', {
  name: 'Pages that do not shift: keyset pagination',
  summary: 'Read a long list from the last row seen, so that new rows neither repeat nor hide anything.',
  words: 'keyset cursor pagination infinite scroll load more before after paginate seek stable offset long list',
  blocks: [
    text(
      'A page number counts from the start, so a row that is added while somebody reads moves everything by one. The address of the next page names the last row instead: "ten rows before this id". It also stays fast on the thousandth page, because the database skips nothing.',
    ),
    files({
      'app/schema/post.yml': `name: post
properties:
  - name: title
  - name: body
`,
      'app/graphql/posts/before.graphql': `query before($before: ID) {
  posts: records(
    per_page: 10
    filter: { table: { value: "post" }, id: { range: { lt: $before } } }
    sort: [{ id: { order: DESC } }]
  ) {
    has_next_page
    results {
      id
      title: property(name: "title")
    }
  }
}
`,
      'app/views/pages/archive.liquid': `{% liquid
  function before = 'params/number', value: context.params.before
  graphql found = 'posts/before', before: before
  assign last = found.posts.results | last
%}
{% for post in found.posts.results %}<li>{{ post.title }}</li>{% endfor %}
{% if found.posts.has_next_page %}<a rel="next" href="/archive?before={{ last.id }}">Older</a>{% endif %}
`,
    }),
    text(
      'To sort by another property, put its value and the id into the address, and filter with `or`: a smaller value, or the same value and a smaller id.',
    ),
    ...trial('Follow "Older" while another window adds posts: every old post appears once.'),
  ],
})

export const fullText = recipe('full-text', {
  name: 'Full-text search',
  summary: 'Find rows by words in their texts, best hits first, while visitors type or mistype them.',
  words:
    'full text fulltext search words keyword find contents site search fuzzy typo prefix match ranking relevance index',
  blocks: [
    text(
      'A search index is a list of documents, whose words the database indexes. The form of a post writes its document after saving. The answer is sorted by hits: a word in the title weighs three times as much as one in the text.',
    ),
    files({
      'app/forms/post.liquid': `---
name: post
resource: post
resource_owner: anyone
authorization_policies: [is_admin]
fields:
  properties:
    title:
      validation: { presence: true }
    body: {}
callback_actions: "{% function _ = 'posts/index', id: form.id %}"
redirect_to: /archive
---
{% form %}
  <label>Title <input name="{{ form.fields.properties.title.name }}" value="{{ form.fields.properties.title.value }}"></label>
  {{ form.errors['properties.title'] }}
  <label>Text <textarea name="{{ form.fields.properties.body.name }}">{{ form.fields.properties.body.value }}</textarea></label>
  <button>Save</button>
{% endform %}
`,
      'app/views/pages/posts/new.liquid': `---
slug: posts/new
authorization_policies: [is_admin]
---
{% include_form 'post' %}
`,
      'app/lib/posts/index.liquid': `{% doc %}
  Writes the document of a post into the search index. Returns what is wrong, or nil.
  @param {string} id
{% enddoc %}
{% liquid
  graphql found = 'posts/find', id: id
  assign post = found.posts.results | first
  assign document = { "title": post.title, "body": post.body }
  graphql written = 'posts/index', id: id, document: document
  return written.errors
%}
`,
      'app/graphql/posts/index.graphql': `mutation index($id: ID!, $document: HashObject!) {
  document: documents_upsert_rc(search_index: "posts", id: $id, document: $document)
}
`,
      'app/graphql/posts/words.graphql': `query words($words: String!, $match: QueryMatchTypeEnum!) {
  posts: documents_rc(
    search_index: "posts"
    per_page: 20
    query: {
      keyword: $words
      match_type: $match
      operator: AND
      fields: [{ name: "title", priority: 3 }, { name: "body" }]
    }
  ) {
    results {
      id
      title: property(name: "title")
    }
  }
}
`,
      'app/views/pages/find.liquid': `{% liquid
  function words = 'params/text', value: context.params.words
  assign posts = null
  if words
    graphql found = 'posts/words', words: words, match: 'STARTS_WITH'
    assign posts = found.posts.results
    if posts == empty
      graphql found = 'posts/words', words: words, match: 'FUZZY'
      assign posts = found.posts.results
    endif
  endif
%}
<form action="/find">
  <label>Words <input type="search" name="words" value="{{ words }}"></label>
  <button>Find</button>
</form>
{% for post in posts %}
  {% function path = 'posts/path', id: post.id, title: post.title %}
  <li><a href="{{ path }}">{{ post.title }}</a></li>
{% else %}
  {% if words %}<p>Nothing has all of these words.</p>{% endif %}
{% endfor %}
`,
    }),
    text(
      'A page that removes a post also removes its document, with `documents_delete_rc`. For a few hundred rows no index is needed: the filter `fulltext` of `records` searches the table itself.',
    ),
    ...trial(
      '`/find?words=plu+sug` finds a post with "plum" in the title and "sugar" in the text, and not one that has only one of them. `/find?words=plim` finds the plums, too.',
    ),
  ],
})
