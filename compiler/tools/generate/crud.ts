/** Generates pages to list, show, create, change and delete rows of a table, and their test. */
import { filePartial, outputOf, sampleOf } from './fields.ts'
import { formFile, hasPolicy, policyFile, policyLines, removeFormFile, tableFile } from './files.ts'
import type { Files, GeneratorOptions } from './model.ts'
import { type Field, findNameField, labelOf, type Names, shownName } from './names.ts'
import { columnsOf, ordersOf, queryFiles, searchedField } from './queries.ts'

/** Returns the files for a table. @param fields fields of the table; at least one must name a row (`findNameField`) */
export function crudFiles(names: Names, fields: readonly Field[], options: GeneratorOptions): Files {
  const { plural } = names
  const isTested = whyUntested(names, options) === null
  return {
    ...tableFile(names, fields),
    ...queryFiles(names, fields),
    ...formFile(`${plural}/edit`, names, fields, options),
    ...removeFormFile(names, options),
    ...policyFile(names, options),
    ...pages(names, fields, options),
    ...translations(names, fields),
    ...(isTested ? testFile(names, fields, signUpSteps(names, options)) : {}),
    ...relationTest(names, fields),
  }
}

/** Returns why no test of the pages is written; null if one is. It needs a user whom the policy of the site allows to write. */
export function whyUntested(names: Names, options: GeneratorOptions): string | null {
  const { policy } = options
  if (policy === null || !hasPolicy(names, options) || signUpSteps(names, options) !== '') return null
  return `No test of the pages was written, because it needs a user whom the policy ${policy} allows to write.`
}

/** Returns the steps of a test that sign up a user, for the policy of generated accounts that allows every user; empty for others. */
function signUpSteps({ plural }: Names, { policy, read }: GeneratorOptions): string {
  if (policy !== 'signed_in' || read?.('app/lib/accounts/is_admin.liquid') == null) return ''
  const email = `writer@${plural.replaceAll('_', '-')}.example`
  return `- GET: /sign-up
- submit: .sign-up-form
  fields:
    form[email]: ${email}
    form[password]: the password of a writer
    form[password_confirmation]: the password of a writer
  follow: true
  status: 200
`
}

function pages(names: Names, fields: readonly Field[], options: GeneratorOptions): Files {
  const { singular, plural } = names
  const name = findNameField(fields)?.name ?? 'id'
  const rest = fields.filter((field) => field.name !== name)
  const guarded = policyLines(names, options)
  const forWriters = isForAdministrators(options) ? showToAdministrators : (html: string): string => html
  const found = `{% liquid
  graphql found = '${plural}/find', id: context.params.id
  assign ${singular} = found.${plural}.results | first
  if ${singular} == nil
    response_status 404
  endif
%}
`
  const title = (text: string): string => `{% content_for 'title' %}${text}{% endcontent_for %}\n`
  const unknown = `  <h1>{{ '${plural}.unknown' | t }}</h1>\n`
  const details = rest.map(
    (field) =>
      `    <dt>{{ '${plural}.fields.${shownName(field)}' | t }}</dt>\n    <dd>${outputOf(field, names, fields)}</dd>\n`,
  )
  return {
    [`app/views/pages/${plural}/index.liquid`]: listPage(names, fields, forWriters),
    [`app/views/partials/${plural}/row.liquid`]: rowPartial(names, fields),
    ...(fields.some(({ type }) => type === 'upload')
      ? { [`app/views/partials/${plural}/file.liquid`]: filePartial(fields) }
      : {}),
    [`app/views/pages/${plural}/show.liquid`]: `---
slug: ${plural}/:id
---
${found}<section class="wrap section">
{% if ${singular} %}
  ${title(`{{ ${singular}.${name} }}`)}  <h1>{{ ${singular}.${name} }}</h1>
${details.length === 0 ? '' : `  <dl>\n${details.join('')}  </dl>\n`}${forWriters(`  <div class="actions">
    <a class="button ${plural}-edit" href="/${plural}/{{ ${singular}.id }}/edit">{{ '${plural}.edit' | t }}</a>
    {% include_form '${plural}/remove', id: ${singular}.id %}
  </div>
`)}{% else %}
${unknown}{% endif %}
</section>
`,
    [`app/views/pages/${plural}/new.liquid`]: `---\n${guarded}---\n${title(`{{ '${plural}.new' | t }}`)}<section class="wrap section">
  <h1>{{ '${plural}.new' | t }}</h1>
  {% include_form '${plural}/edit' %}
</section>
`,
    [`app/views/pages/${plural}/edit.liquid`]: `---
slug: ${plural}/:id/edit
${guarded}---
${found}${title(`{{ '${plural}.edit' | t }}`)}<section class="wrap section">
{% if ${singular} %}
  <h1>{{ '${plural}.edit' | t }}</h1>
  {% include_form '${plural}/edit', id: ${singular}.id %}
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
${indented(html)}  {% endif %}
`
}

function indented(html: string): string {
  return html.replaceAll(/^(?=.)/gm, '  ')
}

function listPage({ plural, singular }: Names, fields: readonly Field[], forWriters: (html: string) => string): string {
  const searched = searchedField(fields)
  const orders = ordersOf(fields)
  const flags = ['newest', ...orders.map(({ name }) => `by_${name}`)]
  const heads = columnsOf(fields).map(
    (field) => `          <th scope="col">{{ '${plural}.fields.${shownName(field)}' | t }}</th>\n`,
  )
  const options = orders.map(
    ({ name }) =>
      `        <option value="${name}"{% if sort == '${name}' %} selected{% endif %}>{{ '${plural}.fields.${name}' | t }}</option>\n`,
  )
  const address = (number: string): string =>
    `/${plural}?page={{ ${number} }}&amp;sort={{ sort }}${searched === null ? '' : '{% if q %}&amp;q={{ q | url_encode }}{% endif %}'}`
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
  graphql found = '${plural}/list', page: page, ${searched === null ? '' : 'q: q, '}${flags.map((flag) => `${flag}: ${flag}`).join(', ')}
  assign ${plural} = found.${flags.join(' | default: found.')}
%}
{% content_for 'title' %}{{ '${plural}.title' | t }}{% endcontent_for %}
<section class="wrap section">
  <div class="section-head">
    <h1>{{ '${plural}.title' | t }}</h1>
${indented(forWriters(`  <p><a class="button" href="/${plural}/new">{{ '${plural}.new' | t }}</a></p>\n`))}  </div>
  <form class="filters" action="/${plural}" method="get" role="search">
${
  searched === null
    ? ''
    : `    <div class="form-field">
      <label for="${plural}-q">{{ '${plural}.search' | t }}</label>
      <input id="${plural}-q" name="q" type="search" value="{{ q }}">
    </div>
`
}    <div class="form-field">
      <label for="${plural}-sort">{{ '${plural}.sort' | t }}</label>
      <select id="${plural}-sort" name="sort">
        <option value="newest">{{ '${plural}.newest' | t }}</option>
${options.join('')}      </select>
    </div>
    <button class="button" type="submit">{{ '${plural}.show' | t }}</button>
  </form>
  {% if ${plural}.results == empty %}
    <p class="none">{{ '${plural}.none' | t }}</p>
  {% else %}
    <p role="status">{{ '${plural}.count' | t: count: ${plural}.total_entries }}</p>
    <table class="${plural}">
      <thead>
        <tr>
${heads.join('')}        </tr>
      </thead>
      <tbody>
        {% for ${singular} in ${plural}.results %}
          {% render '${plural}/row', ${singular}: ${singular} %}
        {% endfor %}
      </tbody>
    </table>
  {% endif %}
  {% if ${plural}.total_pages > 1 %}
    <nav class="pages" aria-label="{{ '${plural}.pages' | t }}">
      {% if page > 1 %}<a rel="prev" href="${address('page | minus: 1')}">{{ '${plural}.before' | t }}</a>{% endif %}
      {% if page < ${plural}.total_pages %}<a rel="next" href="${address('page | plus: 1')}">{{ '${plural}.after' | t }}</a>{% endif %}
    </nav>
  {% endif %}
</section>
`
}

function rowPartial(names: Names, fields: readonly Field[]): string {
  const { singular, plural } = names
  const [name, ...others] = columnsOf(fields)
  const link = name === undefined ? '' : ` | default: ${singular}.id`
  return `{% doc %}
  @param {object} ${singular} - a record of the query ${plural}/list
{% enddoc %}
<tr>
  <th scope="row"><a href="/${plural}/{{ ${singular}.id }}">{{ ${singular}.${name?.name ?? 'id'}${link} }}</a></th>
${others.map((field) => `  <td data-label="{{ '${plural}.fields.${shownName(field)}' | t }}">${outputOf(field, names, fields)}</td>\n`).join('')}</tr>
`
}

function translations({ plural, title, titles }: Names, fields: readonly Field[]): Files {
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
    ...(has('date') ? [`      ${plural}_day: '%-d %B %Y'\n`] : []),
    ...(has('datetime') ? [`      ${plural}_minute: '%-d %B %Y, %H:%M'\n`] : []),
  ]
  return {
    [`app/translations/${plural}.en.yml`]: `en:
${formats.length === 0 ? '' : `  time:\n    formats:\n${formats.join('')}`}  ${plural}:
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

/** @param signUp steps before those of the pages */
function testFile({ plural, titles }: Names, fields: readonly Field[], signUp: string): Files {
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
      : `- GET: /${plural}?sort=${name.name}&q=${encodeURIComponent(sampleOf(name, false)?.slice(2) ?? '')}
  selector: { "th a": ${shown(false)} }
- GET: /${plural}?q=${'qx'.repeat(8)}
  selector: .none
`
  const dates = fields.some(({ type }) => type === 'date') ? '  text: 28 February 2026\n' : ''
  return {
    [`app/lib/test/${plural}_test.yml`]: `${signUp}- GET: /${plural}
  status: 200
  selector: { h1: ${titles} }
- GET: /${plural}/new
  status: 200
# What is not valid comes back with what is wrong.
- submit: .${plural}-form
  follow: true
  selector: .form-wrong
- GET: /${plural}/new
- submit: .${plural}-form
  fields:
${typed(false)}  follow: true
  status: 200
  selector: { h1: ${shown(false)} }
${dates}- GET: /${plural}
  selector: { "th a": ${shown(false)} }
${search}- GET: /${plural}
- click: tbody a
  selector: { h1: ${shown(false)} }
- click: .${plural}-edit
  status: 200
- submit: .${plural}-form
  fields:
${typed(true)}  follow: true
  status: 200
  selector: { h1: ${shown(true)} }
- submit: .${plural}-removal
  follow: true
  status: 200
  without: ${shown(true)}
- GET: /${plural}/0
  status: 404
`,
  }
}

/** Generates a test that the page of a row reads the related rows; nothing without relations. */
function relationTest({ singular, plural }: Names, fields: readonly Field[]): Files {
  const relations = fields.flatMap(({ name, related }) => (related === null ? [] : [{ property: name, ...related }]))
  if (relations.length === 0) return {}
  const rows = relations.map(
    ({ alias, table, label }) =>
      `    ${alias}: record_create(record: { table: "${table}", properties: [{ name: "${label}", value: "A name" }] }) { id }\n`,
  )
  const properties = relations.map(({ property, alias }) => `{ name: "${property}", value: $${alias} }`)
  const checks = relations.map(
    ({ alias, label }) => `  assign contract["total"] = contract.total | plus: 1
  if ${singular}.${alias}.${label} != 'A name'
    assign errors["${alias}"] = ["is not read with the row"]
  endif
`,
  )
  return {
    [`app/lib/test/${plural}_relations_test.liquid`]: `{% graphql related %}
  mutation {
${rows.join('')}  }
{% endgraphql %}
{% graphql made, ${relations.map(({ alias }) => `${alias}: related.${alias}.id`).join(', ')} %}
  mutation (${relations.map(({ alias }) => `$${alias}: String`).join(', ')}) {
    row: record_create(record: { table: "${singular}", properties: [${properties.join(', ')}] }) { id }
  }
{% endgraphql %}
{% liquid
  graphql found = '${plural}/find', id: made.row.id
  assign ${singular} = found.${plural}.results | first
  assign errors = contract.errors
${checks.join('')}%}
`,
  }
}
