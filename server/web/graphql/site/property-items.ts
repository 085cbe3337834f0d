/** The properties of tables, users and profile types as list items. */
import type { PropertyDef } from '../../../../runtime/page/compiled.ts'
import type { SiteItem } from '../../../../runtime/data/query/site-facts.ts'
import { stableId } from '../../site/stable-id.ts'

/**
 * Returns properties sorted by name, whatever their order in the file.
 * @param file fields that all properties of the file share
 * @param inFileOrder whether they keep the order of the file instead
 */
export function propertyItems(
  properties: readonly PropertyDef[],
  targetId: string,
  targetType: string,
  file: SiteItem,
  inFileOrder = false,
): readonly SiteItem[] {
  const items = properties.map((property) => propertyItem(property, targetId, targetType, file))
  if (inFileOrder) return items
  return items.toSorted((left, right) => (String(left['name']) < String(right['name']) ? -1 : 1))
}

function propertyItem(property: PropertyDef, targetId: string, targetType: string, file: SiteItem): SiteItem {
  const { name, type, text, belongsTo, options, metadata = {} } = property
  const standard = property.default ?? null
  return {
    ...file,
    id: stableId(`${targetType} ${targetId} ${name}`),
    metadata,
    name,
    attribute_type: text === true ? 'text' : type,
    default_value: standard === null || typeof standard === 'string' ? standard : JSON.stringify(standard),
    belongs_to: belongsTo,
    options: options ?? {},
    target_id: targetId,
    target_type: targetType,
  }
}
