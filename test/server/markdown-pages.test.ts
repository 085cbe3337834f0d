/** Pages of Markdown: by which addresses they are asked for, and what `.md` means to them and to the names of files. */
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createApp } from '../../server/app.ts'
import { textOf } from '../built-site.ts'
import { type LiquidSite, liquidSite } from './liquid-site.ts'
import { request } from './support.ts'

const FILES = {
  'app/config.yml': 'slug_exact_match: true\n',
  'app/views/layouts/application.liquid': '[{{ content_for_layout }}]',
  'app/views/pages/guide.liquid': '---\nconverter: markdown\n---\n# The {{ context.page.slug }}',
  'app/views/pages/notes.md.liquid': 'notes at {{ context.page.slug }}',
  'app/views/pages/both.md.liquid': '---\nslug: both\nconverter: markdown\n---\n*both*',
  'app/views/pages/feed.xml.liquid': '<feed/>',
  'app/views/partials/box.liquid': '<div>\n  <p>Box</p>\n\n    <p>{{ text | html_safe }}</p>\n</div>',
  'app/views/partials/part.liquid': '---\nconverter: markdown\n---\n## Part *one*\n',
  'app/views/pages/page.liquid': `---
converter: markdown
layout: ''
---
{% assign name = '*Ann* <b>' %}
{% assign url = '/u' %}
Of {{ name }}, [see {{ name }}]({{ url }})
{%- include 'box', text: "With \`code\`, it's [a link](/x)" -%}

### pos.json & more: “{{ name }}”

{% if name %}
- one
{% else %}
- two
{% endif %}
{% render 'part' %}

\`{% raw %}{{ a < b }}{% endraw %}\`

{% capture kept %}
Kept **text**
{% endcapture %}
{% parse_json json %}{ "a": "*b*" }{% endparse_json %}
| {{ kept | strip | html_safe }} | b |
|---|---|
| {{ json.a }} | {{ name | upcase }} |
`,
}

const PAGE = `

<p>Of *Ann* &lt;b&gt;, <a href="/u">see *Ann* &lt;b&gt;</a><div>
  <p>Box</p>

    <p>With <code>code</code>, it's <a href="/x">a link</a></p>
</div></p>
<h3 id="pos-json-more">pos.json &amp; more: “*Ann* &lt;b&gt;”</h3>

<ul>
<li>one</li>
</ul>

<h2 id="part-one">Part <em>one</em></h2>

<p><code>{{ a &lt; b }}</code></p>


<table>
<thead>
<tr>
<th>Kept <strong>text</strong></th>
<th>b</th>
</tr>
</thead>
<tbody>
<tr>
<td>*b*</td>
<td>*ANN* &lt;B&gt;</td>
</tr>
</tbody>
</table>
`

const SOURCE = `

Of *Ann* &lt;b&gt;, [see *Ann* &lt;b&gt;](/u)<div>
  <p>Box</p>

    <p>With <code>code</code>, it's <a href="/x">a link</a></p>
</div>### pos.json & more: “*Ann* &lt;b&gt;”


- one

## Part *one*


\`{{ a < b }}\`



| Kept **text** | b |
|---|---|
| *b* | *ANN* &lt;B&gt; |
`

let site: LiquidSite
let app: App

beforeAll(async () => {
  site = await liquidSite(FILES)
  const logger = pino({ level: 'silent' })
  app = createApp(site.loaded, { environment: 'production', version: '0.1.0', constants: () => ({}), logger })
})
afterAll(() => site.close())

test.each([
  ['/guide', 200, 'text/html', '[<h1 id="the">The guide</h1>\n]'],
  ['/guide.html', 200, 'text/html', '[<h1 id="the">The guide</h1>\n]'],
  ['/guide.md', 200, 'text/markdown', '# The guide'],
  // A word that is no format of pages belongs to the name: the page is HTML, and has its layout.
  ['/notes.md', 200, 'text/html', '[notes at notes.md]'],
  ['/notes', 404, 'text/html', null],
  ['/both', 200, 'text/html', '[<p><em>both</em></p>\n]'],
  ['/both.md', 200, 'text/markdown', '*both*'],
  // What Liquid prints is no Markdown; what the file says is, also in the arguments of partials.
  ['/page', 200, 'text/html', PAGE],
  ['/page.md', 200, 'text/markdown', SOURCE],
  ['/feed.xml', 200, 'application/xml', '<feed/>'],
])('%s', async (url, status, type, text) => {
  const reply = await app.handler(request(url))
  expect([reply.status, reply.headers['content-type']]).toEqual([status, `${type}; charset=utf-8`])
  if (text !== null) expect(textOf(reply)).toBe(text)
})
