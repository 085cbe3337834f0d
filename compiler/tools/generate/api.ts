/** Generates pages that answer the rows of a table as JSON, to programs with a token. */
import type { Files, GeneratorOptions } from './model.ts'
import type { Names } from './names.ts'
import { readProperties } from './tables.ts'

const READERS: Readonly<Record<string, string>> = {
  integer: 'property_int',
  float: 'property_float',
  boolean: 'property_boolean',
  array: 'property_array',
}

const POLICY = 'app/authorization_policies/has_token.liquid'
const ABSOLUTE = 'app/lib/api/absolute_url.liquid'

/** Returns the files of a JSON API for a table. @throws UsageError when the site has no such table */
export function apiFiles({ singular, plural }: Names, options: GeneratorOptions): Files {
  const properties = readProperties(singular, options)
  const uploads = properties.filter(({ type }) => type === 'upload').map(({ name }) => name)
  const selections = properties.map(({ name, type }) =>
    type === 'upload'
      ? `      ${name}: property_upload(name: "${name}") { url file_name }\n`
      : `      ${name}: ${READERS[type] ?? 'property'}(name: "${name}")\n`,
  )
  const guarded = 'authorization_policies:\n  - has_token\n'
  return {
    // The APIs of all tables share one policy, so it may exist already.
    ...(options.read?.(POLICY) == null ? { [POLICY]: TOKEN_POLICY } : {}),
    ...(uploads.length > 0 && options.read?.(ABSOLUTE) == null ? { [ABSOLUTE]: ABSOLUTE_URL } : {}),
    [`app/graphql/api/${plural}.graphql`]: `# The rows of a page, or one row.
query ${plural}($page: Int = 1, $id: ID) {
  ${plural}: records(
    per_page: 50
    page: $page
    filter: { table: { value: "${singular}" }, id: { value: $id } }
    sort: [{ id: { order: ASC } }]
  ) {
    total_entries
    total_pages
    results {
      id
      created_at
      updated_at
${selections.join('')}    }
  }
}
`,
    [`app/views/pages/api/${plural}.json.liquid`]: `---
${guarded}---
{% liquid
  assign page = context.params.page | default: 1 | floor | at_least: 1 | at_most: 100000
  graphql found = 'api/${plural}', page: page
${uploads.length === 0 ? '' : `  for ${singular} in found.${plural}.results\n${absoluteUrls(singular, uploads, '    ')}  endfor\n`}%}
{{ found.${plural} | json }}
`,
    [`app/views/pages/api/${plural}/show.json.liquid`]: `---
slug: api/${plural}/:id
${guarded}---
{% liquid
  assign id = context.params.id | default: '0' | append: ''
  graphql found = 'api/${plural}', id: id
  assign ${singular} = found.${plural}.results | first
  if ${singular} == nil
    response_status 404
  endif
${absoluteUrls(singular, uploads, '  ')}%}
{{ ${singular} | json }}
`,
    [`app/lib/test/api/${plural}_test.yml`]: `# Only programs with a token may read: \`ingot token create\`.
- GET: /api/${plural}.json
  status: 403
- GET: /api/${plural}/1.json
  status: 403
- GET: /api/${plural}.json
  headers: { Authorization: Bearer wrong }
  status: 403
`,
  }
}

/** Returns lines that replace the addresses of a row's files. */
function absoluteUrls(row: string, uploads: readonly string[], indent: string): string {
  const lines = uploads.flatMap((name) => [
    `if ${row}.${name}`,
    `  function url = 'api/absolute_url', path: ${row}.${name}.url`,
    `  assign ${row}["${name}"]["url"] = url`,
    'endif',
  ])
  return lines.map((line) => `${indent}${line}\n`).join('')
}

const ABSOLUTE_URL = `{% doc %}
  Returns the address of a file with the host of the site, which other programs need.
  @param {string} path
{% enddoc %}
{% liquid
  assign start = path | slice: 0, 1
  if start == '/'
    assign scheme = context.location.href | split: ':' | first
    return "{{ scheme }}://{{ context.location.host }}{{ path }}"
  endif
  return path
%}
`

const TOKEN_POLICY = `---
name: has_token
http_status: 403
---
{% comment %}
  Programs send a token of \`ingot token create\`: the header Authorization with the text Bearer, a space and the token.
{% endcomment %}
{% liquid
  assign key = context.headers.HTTP_AUTHORIZATION | default: '' | split: ' ' | last | default: ''
  assign is_key = key | verify_access_key
  if is_key
    echo true
  endif
%}
`
