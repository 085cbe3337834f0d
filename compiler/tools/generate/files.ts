/** The files that generators write, as texts by path. */
import { declarationOf, inputOf, rulesOf } from './fields.ts'
import type { Files, GeneratorOptions } from './model.ts'
import { choicesFile } from './queries.ts'
import { type Field, findNameField, type Names, labelOf, parsePath } from './names.ts'

export function tableFile({ singular }: Names, fields: readonly Field[]): Files {
  const rows = fields.map(declarationOf).join('')
  return {
    [`app/schema/${singular}.yml`]: `name: ${singular}\n${rows === '' ? 'properties: []\n' : `properties:\n${rows}`}`,
  }
}

/** Returns the name of the policy for writers. */
function policyOf({ plural }: Names, { policy }: GeneratorOptions): string {
  return policy ?? `writes_${plural}`
}

export function policyLines(names: Names, options: GeneratorOptions): string {
  return `authorization_policies:\n  - ${policyOf(names, options)}\n`
}

/** Returns whether the site already has the policy for writers. */
export function hasPolicy(names: Names, options: GeneratorOptions): boolean {
  const name = policyOf(names, options)
  // Policies of modules are not looked up.
  return name.startsWith('modules/') || options.read?.(policyPath(name)) != null
}

function policyPath(name: string): string {
  return `app/authorization_policies/${name}.liquid`
}

/**
 * Generates a policy that allows everyone to write in development, and only signed-in users otherwise. Returns no file if the
 * site already has the policy that `--policy` names.
 * @throws UsageError if the name of the policy is not a valid file name
 */
export function policyFile(names: Names, options: GeneratorOptions): Files {
  if (options.policy !== null && hasPolicy(names, options)) return {}
  const name = parsePath(policyOf(names, options))
  return {
    [policyPath(name)]: `---
name: ${name}
---
{% if context.current_user or context.environment == 'development' %}true{% endif %}
`,
  }
}

/** Generates a form that creates and changes rows of a table. */
export function formFile(name: string, names: Names, fields: readonly Field[], options: GeneratorOptions): Files {
  const { singular, plural } = names
  const needed = findNameField(fields)
  const rules = fields.map((field) => `    ${field.name}:${rulesOf(field, field === needed)}\n`).join('')
  const inputs = fields.map((field) => inputOf(field, plural, field === needed)).join('')
  const choices = fields.some(({ related }) => related !== null)
    ? `  {% graphql choices = '${plural}/choices' %}\n`
    : ''
  return {
    ...choicesFile(names, fields),
    [`app/forms/${name}.liquid`]: `---
name: ${name}
resource: ${singular}
resource_owner: anyone
${policyLines(names, options)}fields:
  properties:${rules === '' ? ' {}\n' : `\n${rules}`}redirect_to: "/${plural}/{{ form.id }}"
flash_notice: "{{ '${plural}.saved' | t }}"
---
{% form html-class: 'form ${plural}-form' %}
  {% assign fields = form.fields.properties %}
${choices}${inputs}  <p class="form-end"><button class="button" type="submit">{{ '${plural}.save' | t }}</button></p>
{% endform %}
`,
  }
}

export function removeFormFile(names: Names, options: GeneratorOptions): Files {
  const { singular, plural } = names
  return {
    [`app/forms/${plural}/remove.liquid`]: `---
name: ${plural}/remove
resource: ${singular}
resource_owner: anyone
${policyLines(names, options)}redirect_to: /${plural}
flash_notice: "{{ '${plural}.removed' | t }}"
---
{% form method: 'delete', html-class: '${plural}-removal' %}
  <button class="button button-quiet" type="submit">{{ '${plural}.remove' | t }}</button>
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
