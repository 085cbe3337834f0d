/** The files that generators write, as texts by path. */
import { type Field, type Names, labelOf } from './names.ts'

/** Texts by path. */
export type Files = Readonly<Record<string, string>>

/** Options of the generators, in addition to names and fields. */
export interface GeneratorOptions {
  /** The policy for writers; null to generate one. */
  readonly policy: string | null
}

export function tableFile({ one }: Names, fields: readonly Field[]): Files {
  const rows = fields.map(({ name, type }) =>
    type === 'string' ? `  - name: ${name}\n` : `  - name: ${name}\n    type: ${type}\n`,
  )
  return {
    [`app/schema/${one}.yml`]: `name: ${one}\n${rows.length === 0 ? 'properties: []\n' : `properties:\n${rows.join('')}`}`,
  }
}

const READERS: Readonly<Record<string, string>> = {
  integer: 'property_int',
  float: 'property_float',
  boolean: 'property_boolean',
}

/** Returns the GraphQL field that reads a property. */
function selectionOf({ name, type }: Field): string {
  return `${name}: ${READERS[type] ?? 'property'}(name: "${name}")`
}

/** Generates two queries: the list selects the fields of its rows, the single row selects all fields. */
export function queryFiles({ one, many }: Names, fields: readonly Field[]): Files {
  const selection = (of: readonly Field[]): string => of.map((field) => `      ${selectionOf(field)}\n`).join('')
  return {
    [`app/graphql/${many}/list.graphql`]: `query ${many}($page: Int = 1) {
  ${many}: records(
    per_page: 20
    page: $page
    filter: { table: { value: "${one}" } }
    sort: [{ created_at: { order: DESC } }]
  ) {
    total_pages
    results {
      id
${selection(fields.slice(0, 1))}    }
  }
}
`,
    [`app/graphql/${many}/find.graphql`]: `query ${one}($id: ID!) {
  ${many}: records(per_page: 1, filter: { table: { value: "${one}" }, id: { value: $id } }) {
    results {
      id
${selection(fields)}    }
  }
}
`,
  }
}

/** Returns the validation rules of a field in a form configuration. */
function rulesOf({ type }: Field, isFirst: boolean): string {
  const rules = [
    ...(isFirst ? ['presence: true'] : []),
    ...(type === 'string' ? ['length: { maximum: 255 }'] : []),
    ...(type === 'integer' ? ['numericality: { only_integer: true, allow_blank: true }'] : []),
    ...(type === 'float' ? ['numericality: { allow_blank: true }'] : []),
  ]
  return rules.length === 0 ? '' : `\n      validation: { ${rules.join(', ')} }`
}

const INPUTS: Readonly<Record<Field['type'], string>> = {
  string: 'type="text"',
  text: '',
  integer: 'type="number" step="1"',
  float: 'type="number" step="any"',
  boolean: 'type="checkbox"',
  date: 'type="date"',
  datetime: 'type="datetime-local"',
}

/** Returns an input field with its label, followed by its error message. */
function inputOf(field: Field, prefix: string, isFirst: boolean): string {
  const { name, type } = field
  const [at, id] = [`fields.${name}`, `${prefix}-${name}`.replaceAll('_', '-')]
  const needed = isFirst ? ' aria-required="true"' : ''
  const state = `${needed}{% if ${at}.validation.errors != blank %} aria-invalid="true" aria-describedby="${id}-wrong"{% endif %}`
  const label = `<label for="${id}">{{ '${prefix}.fields.${name}' | t }}</label>`
  const input = `<input id="${id}" name="{{ ${at}.name }}" ${INPUTS[type]}`
  const control =
    type === 'text'
      ? `<textarea id="${id}" name="{{ ${at}.name }}" rows="6"${state}>{{ ${at}.value }}</textarea>`
      : type === 'boolean'
        ? `<input type="hidden" name="{{ ${at}.name }}" value="false">
    ${input} value="true"{% if ${at}.value == true or ${at}.value == 'true' %} checked{% endif %}${state}>`
        : `${input} value="{{ ${at}.value }}"${state}>`
  return `  <div class="form-field">
    ${label}
    ${control}
    {% if ${at}.validation.errors != blank %}
      <p class="form-wrong" id="${id}-wrong">{{ ${at}.validation.errors | first }}</p>
    {% endif %}
  </div>
`
}

/** Returns the name of the policy for writers. */
function policyOf({ many }: Names, { policy }: GeneratorOptions): string {
  return policy ?? `writes_${many}`
}

export function policyLines(names: Names, options: GeneratorOptions): string {
  return `authorization_policies:\n  - ${policyOf(names, options)}\n`
}

/** Generates a policy that allows everyone to write in development, and only signed-in users otherwise. */
export function policyFile(names: Names, options: GeneratorOptions): Files {
  if (options.policy !== null) return {}
  const name = policyOf(names, options)
  return {
    [`app/authorization_policies/${name}.liquid`]: `---
name: ${name}
---
{% if context.current_user or context.environment == 'development' %}true{% endif %}
`,
  }
}

/** Generates a form that creates and changes rows of a table. */
export function formFile(name: string, names: Names, fields: readonly Field[], options: GeneratorOptions): Files {
  const { one, many } = names
  const rules = fields.map((field, at) => `    ${field.name}:${rulesOf(field, at === 0)}\n`).join('')
  const inputs = fields.map((field, at) => inputOf(field, many, at === 0)).join('')
  return {
    [`app/forms/${name}.liquid`]: `---
name: ${name}
resource: ${one}
resource_owner: anyone
${policyLines(names, options)}fields:
  properties:${rules === '' ? ' {}\n' : `\n${rules}`}redirect_to: "/${many}/{{ form.id }}"
flash_notice: "{{ '${many}.saved' | t }}"
---
{% form html-class: 'form ${many}-form' %}
  {% assign fields = form.fields.properties %}
${inputs}  <p class="form-end"><button class="button" type="submit">{{ '${many}.save' | t }}</button></p>
{% endform %}
`,
  }
}

export function removeFormFile(names: Names, options: GeneratorOptions): Files {
  const { one, many } = names
  return {
    [`app/forms/${many}/remove.liquid`]: `---
name: ${many}/remove
resource: ${one}
resource_owner: anyone
${policyLines(names, options)}redirect_to: /${many}
flash_notice: "{{ '${many}.removed' | t }}"
---
{% form method: 'delete', html-class: '${many}-removal' %}
  <button class="button button-quiet" type="submit">{{ '${many}.remove' | t }}</button>
{% endform %}
`,
  }
}

/** Generates a page, with a test that requests it. */
export function pageFiles(path: string): Files {
  const key = path.replaceAll(/[^a-z0-9]+/g, '_')
  return {
    [`app/views/pages/${path}.liquid`]: `{% content_for 'title' %}{{ 'pages.${key}.title' | t }}{% endcontent_for %}
<section class="wrap section">
  <h1>{{ 'pages.${key}.title' | t }}</h1>
</section>
`,
    [`app/translations/pages/${path}.en.yml`]: `en:\n  pages:\n    ${key}:\n      title: ${labelOf(path)}\n`,
    [`app/lib/test/pages/${path}_test.yml`]: `- GET: /${path}\n  status: 200\n  selector: { h1: ${labelOf(path)} }\n`,
  }
}

/** Generates an empty migration. @param at the time that its name begins with */
export function migrationFile(name: string, at: Date): Files {
  const stamp = at.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  return {
    [`app/migrations/${stamp}_${name}.liquid`]: `{% comment %}
  Runs once, in a transaction, when a release that contains it is served. A migration must not read files that later releases may change.
{% endcomment %}
`,
  }
}

/** Generates a module with a public function, and its test. */
export function moduleFiles(name: string): Files {
  const root = `modules/${name}`
  return {
    [`${root}/pos-module.json`]: `${JSON.stringify({ name: labelOf(name), machine_name: name, type: 'module', version: '0.1.0', dependencies: {} }, null, 2)}\n`,
    [`${root}/public/lib/queries/greeting.liquid`]: `{% doc %}
  Returns the module's greeting.
  @param {string} name
{% enddoc %}
{% liquid
  assign words = 'modules/${name}/greeting.hello' | t: name: name
  return words
%}
`,
    [`${root}/public/views/partials/greeting.liquid`]: `{% doc %}
  @param {string} name
{% enddoc %}
{% function words = 'modules/${name}/queries/greeting', name: name %}
<p>{{ words }}</p>
`,
    [`${root}/public/translations/en/greeting.yml`]: "en:\n  greeting:\n    hello: 'Hello, %{name}!'\n",
    [`${root}/public/lib/test/greeting_test.liquid`]: `{% liquid
  assign contract["total"] = contract.total | plus: 1
  function words = 'modules/${name}/queries/greeting', name: 'Ada'
  unless words contains 'Ada'
    assign errors = contract.errors
    assign errors["greeting"] = ["does not name whom it greets"]
  endunless
%}
`,
  }
}
