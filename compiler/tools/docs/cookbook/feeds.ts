/** Recipes about files for programs that read the site. */
import { files, recipe, text, trial } from '../guides/guide.ts'

export const rss = recipe('rss', {
  name: 'An RSS feed',
  summary: 'Let readers subscribe to the newest posts.',
  words: 'rss feed atom subscribe news reader xml syndication podcast',
  blocks: [
    text(
      'A page named `news.rss.liquid` answers `/news.rss` with the type of RSS. Printed values are escaped in XML, too. Dates have the form of e-mails.',
    ),
    files({
      'app/lib/origin.liquid': `{% doc %}
  Returns the beginning of absolute addresses: the constant SITE_URL, or the host of the request.
{% enddoc %}
{% liquid
  assign host = "https://{{ context.location.host }}"
  assign origin = context.constants.SITE_URL | default: host
  return origin
%}
`,
      'app/graphql/posts/newest.graphql': `query newest($limit: Int!) {
  posts: records(per_page: $limit, filter: { table: { value: "post" } }, sort: [{ created_at: { order: DESC } }]) {
    results {
      id
      created_at
      updated_at
      title: property(name: "title")
      body: property(name: "body")
    }
  }
}
`,
      'app/views/pages/news.rss.liquid': `{%- liquid
  function origin = 'origin'
  graphql found = 'posts/newest', limit: 20
-%}
<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0">
  <channel>
    <title>The Small Kitchen</title>
    <link>{{ origin }}/archive</link>
    <description>What we cook</description>
    {%- for post in found.posts.results %}
    {%- function path = 'posts/path', id: post.id, title: post.title %}
    <item>
      <title>{{ post.title }}</title>
      <link>{{ origin }}{{ path }}</link>
      <guid isPermaLink="false">post {{ post.id }}</guid>
      <pubDate>{{ post.created_at | date: '%a, %d %b %Y %H:%M:%S %z' }}</pubDate>
      <description>{{ post.body }}</description>
    </item>
    {%- endfor %}
  </channel>
</rss>
`,
    }),
    text(
      'The `guid` does not contain the title, so a corrected title does not show the post again. Browsers find the feed by `<link rel="alternate" type="application/rss+xml" href="/news.rss">` in the layout.',
    ),
    ...trial('Write a post named `Salt & <b>pepper</b>` and open `/news.rss` in a feed reader: it shows that title.'),
  ],
})

export const sitemap = recipe('sitemap', {
  name: 'A sitemap',
  summary: 'Tell search engines all addresses of the site, and where the list is.',
  words: 'sitemap xml robots.txt search engine google seo index crawl lastmod',
  blocks: [
    text(
      'A sitemap may have 50,000 addresses. It is the same for all visitors, so `static_cache` keeps it for an hour.',
    ),
    files({
      'app/views/pages/sitemap.xml.liquid': `---
static_cache:
  expire: 3600
---
{%- liquid
  function origin = 'origin'
  graphql found = 'posts/newest', limit: 40000
  assign paths = ["/", "/wines", "/archive", "/en/visit", "/de/visit"]
-%}
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  {%- for path in paths %}
  <url><loc>{{ origin }}{{ path }}</loc></url>
  {%- endfor %}
  {%- for post in found.posts.results %}
  {%- function path = 'posts/path', id: post.id, title: post.title %}
  <url><loc>{{ origin }}{{ path }}</loc><lastmod>{{ post.updated_at | date: '%Y-%m-%d' }}</lastmod></url>
  {%- endfor %}
</urlset>
`,
      'app/views/pages/robots.txt.liquid': `{%- function origin = 'origin' -%}
User-agent: *
Allow: /
Sitemap: {{ origin }}/sitemap.xml
`,
    }),
    ...trial('Open `/sitemap.xml` and `/robots.txt`. Every address of the sitemap is answered with 200.'),
  ],
})
