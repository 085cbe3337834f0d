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

export const calendarFile = recipe('calendar-file', {
  name: 'A calendar file',
  summary:
    'Let visitors subscribe to your events in their calendar: an `.ics` file with escaped texts and folded lines.',
  words:
    'ics icalendar calendar ical vevent events subscribe webcal outlook google apple crlf carriage return line break newline folding fold escape format',
  blocks: [
    text(
      'A page named `tastings.ics.liquid` answers `/tastings.ics` with the type of calendars. The format has three rules: commas, semicolons, backslashes and line breaks of a text are escaped, a line has at most 75 bytes, and each line ends with CRLF. Two functions keep them. Times end in `Z`, so they are in UTC: if people type times of their own zone, store them as the guide "Forms" shows.',
    ),
    files({
      'app/lib/calendar/text.liquid': `{% doc %}
  Returns a text as a value of a calendar file.
  @param {string} [value]
{% enddoc %}
{% liquid
  # In a replacement, two backslashes are one, and \\0 is the match.
  assign escaped = value | append: '' | replace_regex: '[\\\\,;]', '\\\\\\0'
  return escaped | replace_regex: '\\r\\n?|\\n', '\\\\n' | replace_regex: '[\\x00-\\x1f\\x7f]', ''
%}
`,
      'app/lib/calendar/line.liquid': `{% doc %}
  Returns a line with its end. A long line continues after a line break and a space: after 70 characters of ASCII, or 18 of others,
  which have up to four bytes.
  @param {string} text
{% enddoc %}
{% liquid
  # Texts in quotes have no escapes, but those in lists and objects have the ones of JSON.
  assign ends = { "line": "\\r\\n", "fold": "\\r\\n " }
  assign fold = '\\0' | append: ends.fold
  return text | replace_regex: '(?>[ -~]{18,70}|.{1,18})(?=.)', fold | append: ends.line
%}
`,
      'app/graphql/tastings/calendar.graphql': `query calendar {
  tastings: records(per_page: 500, filter: { table: { value: "tasting" } }, sort: [{ id: { order: DESC } }]) {
    results {
      id
      updated_at
      name: property(name: "name")
      starts_at: property(name: "starts_at")
    }
  }
}
`,
      'app/views/pages/tastings.ics.liquid': `{%- liquid
  function origin = 'origin'
  graphql found = 'tastings/calendar'
  assign lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//The Small Kitchen//Tastings//EN"]
  for tasting in found.tastings.results
    function name = 'calendar/text', value: tasting.name
    assign changed = tasting.updated_at | strftime: '%Y%m%dT%H%M%SZ', 'UTC'
    assign starts = tasting.starts_at | strftime: '%Y%m%dT%H%M%SZ', 'UTC'
    assign lines << 'BEGIN:VEVENT'
    assign lines << "UID:tasting-{{ tasting.id }}@kitchen.example"
    assign lines << "DTSTAMP:{{ changed }}"
    assign lines << "DTSTART:{{ starts }}"
    assign lines << 'DURATION:PT2H'
    assign lines << "SUMMARY:{{ name }}"
    assign lines << "URL:{{ origin }}/tastings"
    assign lines << 'END:VEVENT'
  endfor
  assign lines << 'END:VCALENDAR'
  for line in lines
    function printed = 'calendar/line', text: line
    echo printed
  endfor
-%}
`,
    }),
    text(
      'Times are in UTC and end with `Z`, so calendars show them in the zone of their user. The `UID` stays the same when a tasting changes, so calendars replace the old entry. A link with `webcal://` instead of `https://` subscribes to the file.',
    ),
    ...trial('Add a tasting named `Salt, pepper; oil` and open `/tastings.ics` in a calendar: it shows that name.'),
  ],
})
