/** Finds the forms and tables that requests name. Names may have alternative spellings. */
import type { Catalog } from '../../../runtime/data/query/model.ts'
import type { CompiledSite, FormEntry } from '../../../runtime/page/site.ts'
import { stableId } from '../site/stable-id.ts'

/** Normalizes a form name. Clients also write `-` or spaces instead of `_`. */
function normalizeFormName(name: string): string {
  return name.replace(/[- ]/g, '_')
}

const FORMS_BY_NORMALIZED_NAME = new WeakMap<CompiledSite['forms'], ReadonlyMap<string, FormEntry>>()

const FORMS_BY_NUMBER = new WeakMap<CompiledSite['forms'], ReadonlyMap<string, FormEntry>>()

/** Returns the form with a number (`form_id`), or null. */
export function findFormByNumber(forms: CompiledSite['forms'], number: string): FormEntry | null {
  let byNumber = FORMS_BY_NUMBER.get(forms)
  if (byNumber === undefined) {
    byNumber = new Map(Object.values(forms).map((form) => [stableId(form.name), form]))
    FORMS_BY_NUMBER.set(forms, byNumber)
  }
  return byNumber.get(number) ?? null
}

/**
 * Returns the form with this name, or else a form whose normalized name is the same. Returns null when there is none.
 */
export function findForm(forms: CompiledSite['forms'], name: string): FormEntry | null {
  if (Object.hasOwn(forms, name)) return forms[name] ?? null
  let byName = FORMS_BY_NORMALIZED_NAME.get(forms)
  if (byName === undefined) {
    byName = new Map(Object.entries(forms).map(([key, form]) => [normalizeFormName(key), form]))
    FORMS_BY_NORMALIZED_NAME.set(forms, byName)
  }
  return byName.get(normalizeFormName(name)) ?? null
}

/** Converts `BlogPost`, `blog-post` and `Blog post` to `blog_post`. Module folders are kept. */
function toUnderscored(name: string): string {
  return name
    .trim()
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[-\s]+/g, '_')
    .toLowerCase()
}

/** Returns the name of the table with this id or name, or null when there is none. */
export function findTable(catalog: Catalog, idOrName: unknown): string | null {
  const text = typeof idOrName === 'number' ? `${idOrName}` : idOrName
  if (typeof text !== 'string' || text.length > 200) return null
  if (/^\d{1,9}$/.test(text)) {
    const tableName = catalog.tableName(Number(text))
    if (tableName !== null && catalog.tableId(tableName) !== null) return tableName
  }
  if (catalog.tableId(text) !== null) return text
  const normalized = toUnderscored(text)
  return catalog.tableId(normalized) === null ? null : normalized
}
