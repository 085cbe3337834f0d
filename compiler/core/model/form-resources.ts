/** The names of form resources, other than the names of tables. */

/** Names for records of a table that the request selects. */
export const ANY_TABLE: ReadonlySet<string> = new Set(['Customization', 'Model', 'Record', 'CustomModelType'])

export const RESOURCE_WORDS: readonly string[] = ['User', 'UserProfile', 'Session', ...ANY_TABLE]
