/** The words for what a form is of, beside the names of tables. */

/** What names a table of records that the request tells. */
export const ANY_TABLE: ReadonlySet<string> = new Set(['Customization', 'Model', 'Record', 'CustomModelType'])

export const RESOURCE_WORDS: readonly string[] = ['User', 'UserProfile', 'Session', ...ANY_TABLE]
