/** The site that the cluster serves: lists, forms, uploads and jobs. Everything that visitors send contains a key that identifies it. */

/** The end of every page. A page with this text is complete. */
export const WHOLE = '<!-- whole -->'

/** Returns the files of the site. @param version printed by every page */
export function siteFiles(version: string): Readonly<Record<string, string>> {
  const end = `<p class="version">version ${version}</p>${WHOLE}`
  return {
    'app/schema/note.yml':
      'name: note\nproperties:\n  - name: key\n  - name: text\n  - name: photo\n    type: upload\n',
    'app/schema/task.yml': 'name: task\nproperties:\n  - name: key\n',
    'app/schema/done.yml': 'name: done\nproperties:\n  - name: key\n',
    'app/graphql/newest.graphql': list('newest', ''),
    'app/graphql/copied.graphql': list('copied', ', options: { read_replica: true }'),
    'app/graphql/finish.graphql': `mutation finish($key: String!) {
  record_create(record: { table: "done", properties: [{ name: "key", value: $key }] }) { id }
}
`,
    'app/views/partials/finish.liquid': `{%- graphql _finished = 'finish', key: key -%}`,
    'app/forms/note.liquid': form('note', 'note', 'key: { validation: { presence: true } }', 'text:', 'photo:'),
    'app/forms/task.liquid': `---
name: task
resource: task
fields:
  properties:
    key: { validation: { presence: true } }
redirect_to: /sent
callback_actions: "{% background job = 'finish', key: form.properties.key %}"
---
{% form %}{% endform %}`,
    'app/views/pages/index.liquid': page('/', `{%- graphql found = 'newest' -%}${rows()}${end}`),
    'app/views/pages/copied.liquid': page('copied', `{%- graphql found = 'copied' -%}${rows()}${end}`),
    'app/views/pages/kept.liquid': page(
      'kept',
      `{%- cache 'newest', expire: 2 -%}{%- graphql found = 'newest' -%}${rows()}{%- endcache -%}${end}`,
    ),
    'app/views/pages/write.liquid': page('write', `{%- include_form 'note' -%}${end}`),
    'app/views/pages/order.liquid': page('order', `{%- include_form 'task' -%}${end}`),
    'app/views/pages/sent.liquid': page('sent', end),
  }
}

function list(name: string, options: string): string {
  return `query ${name} {
  records(per_page: 20, filter: { table: { value: "note" } }, sort: [{ created_at: { order: DESC } }]${options}) {
    results { id key: property(name: "key") }
  }
}
`
}

function form(name: string, resource: string, ...fields: readonly string[]): string {
  return `---
name: ${name}
resource: ${resource}
fields:
  properties:
${fields.map((field) => `    ${field}\n`).join('')}redirect_to: /sent
---
{% form %}{% endform %}`
}

function page(slug: string, body: string): string {
  return `---\nslug: ${slug}\n---\n${body}`
}

function rows(): string {
  return '<ul>{% for one in found.records.results %}<li>{{ one.key }}</li>{% endfor %}</ul>'
}
