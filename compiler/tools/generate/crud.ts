/** Generates pages to list, show, create, change and delete rows of a table, and their test. */
import { filePartial, outputOf, sampleOf } from './fields.ts'
import { formFile, hasPolicy, policyFile, policyLines, removeFormFile, tableFile } from './files.ts'
import type { Files, GeneratorOptions } from './model.ts'
import { type Field, findNameField, labelOf, type Names, shownName } from './names.ts'
import { columnsOf, ordersOf, queryFiles, searchedField } from './queries.ts'

/** Returns the files for a table. @param fields fields of the table; at least one must name a row (`findNameField`) */
export function crudFiles(names: Names, fields: readonly Field[], options: GeneratorOptions): Files {
  const { many } = names
  const isTested = options.policy === null || !hasPolicy(names, options)
  return {
    ...tableFile(names, fields),
    ...queryFiles(names, fields),
    ...formFile(`${many}/edit`, names, fields, options),
    ...removeFormFile(names, options),
    ...policyFile(names, options),
    ...pages(names, fields, options),
    ...translations(names, fields),
    // Omits the test if a policy of the site may reject its visitor.
    ...(isTested ? testFile(names, fields) : {}),
    ...relationTest(names, fields),
  }
}

function pages(names: Names, fields: readonly Field[], options: GeneratorOptions): Files {
  const { one, many } = names
  const name = findNameField(fields)?.name ?? 'id'
  const rest = fields.filter((field) => field.name !== name)
  const guarded = policyLines(names, options)
  const forWriters = isForAdministrators(options) ? showToAdministrators : (html: string): string => html
  const found = `{% liquid
  graphql found = '${many}/find', id: context.params.id
  assign ${one} = found.${many}.results | first
  if ${one} == nil
    response_status 404
  endif
%}
`
  const title = (text: string): string => `{% content_for 'title' %}${text}{% endcontent_for %}\n`
  const unknown = `  <h1>{{ '${many}.unknown' | t }}</h1>\n`
  const details = rest.map(
    (field) =>
      `    <dt>{{ '${many}.fields.${shownName(field)}' | t }}</dt>\n    <dd>${outputOf(field, names, fields)}</dd>\n`,
  )
  return {
    [`app/views/pages/${many}/index.liquid`]: listPage(names, fields, forWriters),
    [`app/views/partials/${many}/row.liquid`]: rowPartial(names, fields),
    ...(fields.some(({ type }) => type === 'upload')
      ? { [`app/views/partials/${many}/file.liquid`]: filePartial(fields) }
      : {}),
    [`app/views/pages/${many}/show.liquid`]: `---
slug: ${many}/:id
---
${found}<section class="wrap section">
{% if ${one} %}
  ${title(`{{ ${one}.${name} }}`)}  <h1>{{ ${one}.${name} }}</h1>
${details.length === 0 ? '' : `  <dl>\n${details.join('')}  </dl>\n`}${forWriters(`  <div class="actions">
    <a class="button ${many}-edit" href="/${many}/{{ ${one}.id }}/edit">{{ '${many}.edit' | t }}</a>
    {% include_form '${many}/remove', id: ${one}.id %}
  </div>
`)}{% else %}
${unknown}{% endif %}
</section>
`,
    [`app/views/pages/${many}/new.liquid`]: `---\n${guarded}---\n${title(`{{ '${many}.new' | t }}`)}<section class="wrap section">
  <h1>{{ '${many}.new' | t }}</h1>
  {% include_form '${many}/edit' %}
</section>
`,
    [`app/views/pages/${many}/edit.liquid`]: `---
slug: ${many}/:id/edit
${guarded}---
${found}${title(`{{ '${many}.edit' | t }}`)}<section class="wrap section">
{% if ${one} %}
  <h1>{{ '${many}.edit' | t }}</h1>
  {% include_form '${many}/edit', id: ${one}.id %}
{% else %}
${unknown}{% endif %}
</section>
`,
  }
}

/** Returns whether only administrators write, and `ingot generate accounts` has written the function that recognizes them. */
function isForAdministrators({ policy, read }: GeneratorOptions): boolean {
  return policy === 'is_admin' && read?.('app/lib/accounts/is_admin.liquid') != null
}

function showToAdministrators(html: string): string {
  return `  {% function is_admin = 'accounts/is_admin' %}
  {% if is_admin %}
${html.replaceAll(/^(?=.)/gm, '  ')}  {% endif %}
`
}

function listPage({ many, one }: Names, fields: readonly Field[], forWriters: (html: string) => string): string {
  const searched = searchedField(fields)
  const orders = ordersOf(fields)
  const flags = ['newest', ...orders.map(({ name }) => `by_${name}`)]
  const heads = columnsOf(fields).map(
    (field) => `          <th scope="col">{{ '${many}.fields.${shownName(field)}' | t }}</th>\n`,
  )
  const options = orders.map(
    ({ name }) =>
      `        <option value="${name}"{% if sort == '${name}' %} selected{% endif %}>{{ '${many}.fields.${name}' | t }}</option>\n`,
  )
  const address = (number: string): string =>
    `/${many}?page={{ ${number} }}&amp;sort={{ sort }}${searched === null ? '' : '{% if q %}&amp;q={{ q | url_encode }}{% endif %}'}`
  return `{% liquid
  assign page = context.params.page | default: 1 | floor | at_least: 1 | at_most: 100000
${
  searched === null
    ? ''
    : `  assign q = null
  if context.params.q != blank
    assign q = context.params.q | append: ''
  endif
`
}${flags.map((flag) => `  assign ${flag} = false\n`).join('')}  assign sort = 'newest'
  case context.params.sort
${orders.map(({ name }) => `    when '${name}'\n      assign sort = '${name}'\n      assign by_${name} = true\n`).join('')}    else
      assign newest = true
  endcase
  graphql found = '${many}/list', page: page, ${searched === null ? '' : 'q: q, '}${flags.map((flag) => `${flag}: ${flag}`).join(', ')}
  assign ${many} = found.${flags.join(' | default: found.')}
%}
{% content_for 'title' %}{{ '${many}.title' | t }}{% endcontent_for %}
<section class="wrap section">
  <h1>{{ '${many}.title' | t }}</h1>
${forWriters(`  <p><a class="button" href="/${many}/new">{{ '${many}.new' | t }}</a></p>\n`)}  <form class="filters" action="/${many}" method="get" role="search">
${
  searched === null
    ? ''
    : `    <div class="form-field">
      <label for="${many}-q">{{ '${many}.search' | t }}</label>
      <input id="${many}-q" name="q" type="search" value="{{ q }}">
    </div>
`
}    <div class="form-field">
      <label for="${many}-sort">{{ '${many}.sort' | t }}</label>
      <select id="${many}-sort" name="sort">
        <option value="newest">{{ '${many}.newest' | t }}</option>
${options.join('')}      </select>
    </div>
    <button class="button" type="submit">{{ '${many}.show' | t }}</button>
  </form>
  {% if ${many}.results == empty %}
    <p class="none">{{ '${many}.none' | t }}</p>
  {% else %}
    <p role="status">{{ '${many}.count' | t: count: ${many}.total_entries }}</p>
    <table class="${many}">
      <thead>
        <tr>
${heads.join('')}        </tr>
      </thead>
      <tbody>
        {% for ${one} in ${many}.results %}
          {% render '${many}/row', ${one}: ${one} %}
        {% endfor %}
      </tbody>
    </table>
  {% endif %}
  {% if ${many}.total_pages > 1 %}
    <nav class="pages" aria-label="{{ '${many}.pages' | t }}">
      {% if page > 1 %}<a rel="prev" href="${address('page | minus: 1')}">{{ '${many}.before' | t }}</a>{% endif %}
      {% if page < ${many}.total_pages %}<a rel="next" href="${address('page | plus: 1')}">{{ '${many}.after' | t }}</a>{% endif %}
    </nav>
  {% endif %}
</section>
`
}

function rowPartial(names: Names, fields: readonly Field[]): string {
  const { one, many } = names
  const [name, ...others] = columnsOf(fields)
  const link = name === undefined ? '' : ` | default: ${one}.id`
  return `{% doc %}
  @param {object} ${one} - a record of the query ${many}/list
{% enddoc %}
<tr>
  <th scope="row"><a href="/${many}/{{ ${one}.id }}">{{ ${one}.${name?.name ?? 'id'}${link} }}</a></th>
${others.map((field) => `  <td data-label="{{ '${many}.fields.${shownName(field)}' | t }}">${outputOf(field, names, fields)}</td>\n`).join('')}</tr>
`
}

function translations({ many, title, titles }: Names, fields: readonly Field[]): Files {
  const lowercaseTitle = title.toLowerCase()
  const article = /^[aeiou]/.test(lowercaseTitle) ? 'an' : 'a'
  const has = (type: Field['type']): boolean => fields.some((field) => field.type === type)
  const rows: readonly (readonly [string, string])[] = [
    ['title', titles],
    ['new', `Add ${article} ${lowercaseTitle}`],
    ['edit', `Change the ${lowercaseTitle}`],
    ['save', 'Save'],
    ['saved', 'Saved.'],
    ['remove', 'Remove'],
    ['removed', 'Removed.'],
    ...(searchedField(fields) === null ? [] : [['search', 'Search'] as const]),
    ['sort', 'Sort by'],
    ['newest', 'Newest first'],
    ['show', 'Show'],
    ['none', 'Nothing was found.'],
    ['unknown', `There is no such ${lowercaseTitle}.`],
    ['pages', 'Pages'],
    ['before', 'Before'],
    ['after', 'After'],
    ...(has('boolean') ? [['yes', "'Yes'"] as const, ['no', "'No'"] as const] : []),
  ]
  const fieldLines = fields.map((field) => `      ${shownName(field)}: ${labelOf(shownName(field))}\n`).join('')
  const formats = [
    ...(has('date') ? [`      ${many}_day: '%-d %B %Y'\n`] : []),
    ...(has('datetime') ? [`      ${many}_minute: '%-d %B %Y, %H:%M'\n`] : []),
  ]
  return {
    [`app/translations/${many}.en.yml`]: `en:
${formats.length === 0 ? '' : `  time:\n    formats:\n${formats.join('')}`}  ${many}:
${rows.map(([key, text]) => `    ${isBooleanWord(key) ? `'${key}'` : key}: ${text}\n`).join('')}    count:
      one: One entry
      other: '%{count} entries'
    fields:
${fieldLines}`,
  }
}

/** YAML reads these keys as booleans without quotes. */
function isBooleanWord(key: string): boolean {
  return key === 'yes' || key === 'no'
}

function testFile({ many, titles }: Names, fields: readonly Field[]): Files {
  const name = findNameField(fields)
  if (name === null) return {}
  const typed = (useSecondSample: boolean): string =>
    fields
      .flatMap((field) => {
        const sample = sampleOf(field, useSecondSample)
        return sample === null ? [] : [`    form[properties_attributes][${field.name}]: ${JSON.stringify(sample)}\n`]
      })
      .join('')
  const shown = (useSecondSample: boolean): string => JSON.stringify(sampleOf(name, useSecondSample))
  const search =
    searchedField(fields) === null
      ? ''
      : `- GET: /${many}?sort=${name.name}&q=${encodeURIComponent(sampleOf(name, false)?.slice(2) ?? '')}
  selector: { "th a": ${shown(false)} }
- GET: /${many}?q=${'qx'.repeat(8)}
  selector: .none
`
  const dates = fields.some(({ type }) => type === 'date') ? '  text: 28 February 2026\n' : ''
  return {
    [`app/lib/test/${many}_test.yml`]: `- GET: /${many}
  status: 200
  selector: { h1: ${titles} }
- GET: /${many}/new
  status: 200
# What is not valid comes back with what is wrong.
- submit: .${many}-form
  follow: true
  selector: .form-wrong
- GET: /${many}/new
- submit: .${many}-form
  fields:
${typed(false)}  follow: true
  status: 200
  selector: { h1: ${shown(false)} }
${dates}- GET: /${many}
  selector: { "th a": ${shown(false)} }
${search}- GET: /${many}
- click: tbody a
  selector: { h1: ${shown(false)} }
- click: .${many}-edit
  status: 200
- submit: .${many}-form
  fields:
${typed(true)}  follow: true
  status: 200
  selector: { h1: ${shown(true)} }
- submit: .${many}-removal
  follow: true
  status: 200
  without: ${shown(true)}
- GET: /${many}/0
  status: 404
`,
  }
}

/** Generates a test that the page of a row reads the related rows; nothing without relations. */
function relationTest({ one, many }: Names, fields: readonly Field[]): Files {
  const relations = fields.flatMap(({ name, related }) => (related === null ? [] : [{ property: name, ...related }]))
  if (relations.length === 0) return {}
  const rows = relations.map(
    ({ alias, table, label }) =>
      `    ${alias}: record_create(record: { table: "${table}", properties: [{ name: "${label}", value: "A name" }] }) { id }\n`,
  )
  const properties = relations.map(({ property, alias }) => `{ name: "${property}", value: $${alias} }`)
  const checks = relations.map(
    ({ alias, label }) => `  assign contract["total"] = contract.total | plus: 1
  if ${one}.${alias}.${label} != 'A name'
    assign errors["${alias}"] = ["is not read with the row"]
  endif
`,
  )
  return {
    [`app/lib/test/${many}_relations_test.liquid`]: `{% graphql related %}
  mutation {
${rows.join('')}  }
{% endgraphql %}
{% graphql made, ${relations.map(({ alias }) => `${alias}: related.${alias}.id`).join(', ')} %}
  mutation (${relations.map(({ alias }) => `$${alias}: String`).join(', ')}) {
    row: record_create(record: { table: "${one}", properties: [${properties.join(', ')}] }) { id }
  }
{% endgraphql %}
{% liquid
  graphql found = '${many}/find', id: made.row.id
  assign ${one} = found.${many}.results | first
  assign errors = contract.errors
${checks.join('')}%}
`,
  }
}
