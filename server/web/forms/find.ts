/** Finds what requests name: forms, in the spellings that clients use, and tables, by name or id. */
import type { Catalog } from '../../../runtime/data/query/model.ts'
import type { CompiledSite, FormEntry } from '../../../runtime/page/site.ts'
import { stableId } from '../site/stable-id.ts'

/** Clients also write `-` or blanks for `_` in names of forms. */
function spellingKey(name: string): string {
  return name.replace(/[- ]/g, '_')
}

const SPELLINGS = new WeakMap<CompiledSite['forms'], ReadonlyMap<string, FormEntry>>()

const NUMBERS = new WeakMap<CompiledSite['forms'], ReadonlyMap<string, FormEntry>>()

/** The form with this number (`form_id`); null when there is none. */
export function formByNumber(forms: CompiledSite['forms'], number: string): FormEntry | null {
  let numbers = NUMBERS.get(forms)
  if (numbers === undefined) {
    numbers = new Map(Object.values(forms).map((form) => [stableId(form.name), form]))
    NUMBERS.set(forms, numbers)
  }
  return numbers.get(number) ?? null
}

/** The form with this name, or else with its underscored spelling; null when there is none. */
export function findForm(forms: CompiledSite['forms'], name: string): FormEntry | null {
  if (Object.hasOwn(forms, name)) return forms[name] ?? null
  let spellings = SPELLINGS.get(forms)
  if (spellings === undefined) {
    spellings = new Map(Object.entries(forms).map(([key, form]) => [spellingKey(key), form]))
    SPELLINGS.set(forms, spellings)
  }
  return spellings.get(spellingKey(name)) ?? null
}

/** `BlogPost`, `blog-post`, `Blog post` → `blog_post`; the folders of modules are kept. */
export function underscored(name: string): string {
  return name
    .trim()
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[-\s]+/g, '_')
    .toLowerCase()
}

/** The table that a request names by id or name; null when there is none. */
export function findTable(catalog: Catalog, named: unknown): string | null {
  const text = typeof named === 'number' ? `${named}` : named
  if (typeof text !== 'string' || text.length > 200) return null
  if (/^\d{1,9}$/.test(text)) {
    const found = catalog.tableName(Number(text))
    if (found !== null && catalog.tableId(found) !== null) return found
  }
  if (catalog.tableId(text) !== null) return text
  const plain = underscored(text)
  return catalog.tableId(plain) === null ? null : plain
}
