/** Generates pages to list, show, create, change and delete rows of a table, and their test. */
import type { Field, Names } from './names.ts'
import { labelOf } from './names.ts'
import {
  type Files,
  formFile,
  policyFile,
  policyLines,
  queryFiles,
  removeFormFile,
  tableFile,
  type GeneratorOptions,
} from './files.ts'

export function crudFiles(names: Names, fields: readonly Field[], options: GeneratorOptions): Files {
  const { many } = names
  return {
    ...tableFile(names, fields),
    ...queryFiles(names, fields),
    ...formFile(`${many}/edit`, names, fields, options),
    ...removeFormFile(names, options),
    ...policyFile(names, options),
    ...pages(names, fields, options),
    ...translations(names, fields),
    ...(options.policy === null ? testFile(names, fields) : {}),
  }
}

/** Returns the output of a value. */
function outputMarkup({ name, type }: Field, of: string): string {
  const value = `${of}.${name}`
  if (type === 'boolean')
    return `{% if ${value} %}{{ 'yes' | t: default: 'yes' }}{% else %}{{ 'no' | t: default: 'no' }}{% endif %}`
  return type === 'text' ? `{{ ${value} | newline_to_br }}` : `{{ ${value} }}`
}

function pages(names: Names, fields: readonly Field[], options: GeneratorOptions): Files {
  const { one, many } = names
  const [first = { name: 'id', type: 'string' } as const, ...rest] = fields
  const guarded = policyLines(names, options)
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
  return {
    [`app/views/pages/${many}/index.liquid`]: `{% liquid
  assign page = context.params.page | default: 1 | floor | at_least: 1
  graphql found = '${many}/list', page: page
  assign ${many} = found.${many}
%}
${title(`{{ '${many}.title' | t }}`)}<section class="wrap section">
  <h1>{{ '${many}.title' | t }}</h1>
  <p><a class="button" href="/${many}/new">{{ '${many}.new' | t }}</a></p>
  {% if ${many}.results == empty %}
    <p>{{ '${many}.none' | t }}</p>
  {% else %}
    <ul class="${many}">
      {% for ${one} in ${many}.results %}
        {% render '${many}/row', ${one}: ${one} %}
      {% endfor %}
    </ul>
  {% endif %}
  {% if ${many}.total_pages > 1 %}
    <nav aria-label="{{ '${many}.pages' | t }}">
      {% if page > 1 %}<a rel="prev" href="/${many}?page={{ page | minus: 1 }}">{{ '${many}.before' | t }}</a>{% endif %}
      {% if page < ${many}.total_pages %}<a rel="next" href="/${many}?page={{ page | plus: 1 }}">{{ '${many}.after' | t }}</a>{% endif %}
    </nav>
  {% endif %}
</section>
`,
    [`app/views/partials/${many}/row.liquid`]: `{% doc %}
  @param {object} ${one} - a record of the query ${many}/list
{% enddoc %}
<li><a href="/${many}/{{ ${one}.id }}">{{ ${one}.${first.name} | default: ${one}.id }}</a></li>
`,
    [`app/views/pages/${many}/show.liquid`]: `---
slug: ${many}/:id
---
${found}<section class="wrap section">
{% if ${one} %}
  ${title(`{{ ${one}.${first.name} }}`)}  <h1>{{ ${one}.${first.name} }}</h1>
${rest.length === 0 ? '' : `  <dl>\n${rest.map((field) => `    <dt>{{ '${many}.fields.${field.name}' | t }}</dt>\n    <dd>${outputMarkup(field, one)}</dd>\n`).join('')}  </dl>\n`}  <p><a class="button ${many}-edit" href="/${many}/{{ ${one}.id }}/edit">{{ '${many}.edit' | t }}</a></p>
  {% include_form '${many}/remove', id: ${one}.id %}
{% else %}
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

function translations({ many, title, titles }: Names, fields: readonly Field[]): Files {
  const lowercaseTitle = title.toLowerCase()
  const article = /^[aeiou]/.test(lowercaseTitle) ? 'an' : 'a'
  const rows: readonly (readonly [string, string])[] = [
    ['title', titles],
    ['new', `Add ${article} ${lowercaseTitle}`],
    ['edit', `Change the ${lowercaseTitle}`],
    ['save', 'Save'],
    ['saved', 'Saved.'],
    ['remove', 'Remove'],
    ['removed', 'Removed.'],
    ['none', 'Nothing is here yet.'],
    ['unknown', `There is no such ${lowercaseTitle}.`],
    ['pages', 'Pages'],
    ['before', 'Before'],
    ['after', 'After'],
  ]
  const fieldLines = fields.map(({ name }) => `      ${name}: ${labelOf(name)}\n`).join('')
  return {
    [`app/translations/${many}.en.yml`]: `en:\n  ${many}:\n${rows.map(([key, text]) => `    ${key}: ${text}\n`).join('')}${fieldLines === '' ? '' : `    fields:\n${fieldLines}`}`,
  }
}

/** Returns a sample value, as typed into a form. `again` selects a second value. */
function sample({ type, name }: Field, isSecond: boolean): string {
  const samples: Readonly<Record<Field['type'], readonly [string, string]>> = {
    string: [`A ${labelOf(name).toLowerCase()}`, `Another ${labelOf(name).toLowerCase()}`],
    text: [`A ${labelOf(name).toLowerCase()}`, `Another ${labelOf(name).toLowerCase()}`],
    integer: ['3', '4'],
    float: ['1.5', '2.5'],
    boolean: ['true', 'false'],
    date: ['2026-02-28', '2026-03-01'],
    datetime: ['2026-02-28T12:30', '2026-03-01T12:30'],
  }
  return samples[type][isSecond ? 1 : 0]
}

function testFile({ many, titles }: Names, fields: readonly Field[]): Files {
  const [first] = fields
  if (first === undefined) return {}
  const typed = (useSecondSample: boolean): string =>
    fields
      .map(
        (field) =>
          `    form[properties_attributes][${field.name}]: ${JSON.stringify(sample(field, useSecondSample))}\n`,
      )
      .join('')
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
  selector: { h1: ${JSON.stringify(sample(first, false))} }
- click: .${many}-edit
  status: 200
- submit: .${many}-form
  fields:
${typed(true)}  follow: true
  status: 200
  selector: { h1: ${JSON.stringify(sample(first, true))} }
- submit: .${many}-removal
  follow: true
  status: 200
  without: ${JSON.stringify(sample(first, true))}
- GET: /${many}/0
  status: 404
`,
  }
}
