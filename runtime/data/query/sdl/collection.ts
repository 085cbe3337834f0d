/** Returns the schema text of a collection type: a page of rows. */
export function collection(type: string, description: string): string {
  return `"One page of ${description}."
type ${type}Collection {
  current_page: Int! @public
  has_next_page: Boolean! @public
  has_previous_page: Boolean! @public
  per_page: Int! @public
  results: [${type}!] @public
  total_entries: Int! @public
  total_pages: Int! @public
}`
}
